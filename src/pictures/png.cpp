#include "pictures/png.h"

#include <libdeflate.h>

#include <cassert>
#include <memory>
#include <new>

namespace polygraphy {
namespace {

void append_big_endian(std::string& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

void append_chunk(std::string& out, std::string_view type, std::string_view body) {
  append_big_endian(out, static_cast<uint32_t>(body.size()));
  const size_t start = out.size();
  out += type;
  out += body;
  append_big_endian(out, libdeflate_crc32(0, out.data() + start, out.size() - start));
}

struct FreeCompressor {
  void operator()(libdeflate_compressor* it) const { libdeflate_free_compressor(it); }
};

std::string compressed(const std::string& bytes) {
  constexpr int kLevel = 6;  // of 12: the usual one
  const std::unique_ptr<libdeflate_compressor, FreeCompressor> deflater(
      libdeflate_alloc_compressor(kLevel));
  if (deflater == nullptr) throw std::bad_alloc();
  std::string out(libdeflate_zlib_compress_bound(deflater.get(), bytes.size()), '\0');
  out.resize(
      libdeflate_zlib_compress(deflater.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

}  // namespace

std::string png_of(int64_t width, int64_t height, std::span<const uint8_t> pixels,
                   std::span<const Rgb> palette) {
  assert(static_cast<int64_t>(pixels.size()) == width * height && !palette.empty() &&
         palette.size() <= 256);
  std::string out = "\x89PNG\r\n\x1a\n";
  std::string header;
  append_big_endian(header, static_cast<uint32_t>(width));
  append_big_endian(header, static_cast<uint32_t>(height));
  header +=
      {8, 3, 0, 0, 0};  // eight bits, palette, deflate, no filters but per row, not interlaced
  append_chunk(out, "IHDR", header);
  std::string colors;
  for (const Rgb& color : palette) colors.append(color.begin(), color.end());
  append_chunk(out, "PLTE", colors);
  std::string rows;
  rows.reserve(static_cast<size_t>((width + 1) * height));
  for (int64_t y = 0; y < height; ++y) {
    rows += '\0';  // this row is not filtered
    rows.append(reinterpret_cast<const char*>(pixels.data()) + y * width,
                static_cast<size_t>(width));
  }
  append_chunk(out, "IDAT", compressed(rows));
  append_chunk(out, "IEND", "");
  return out;
}

}  // namespace polygraphy
