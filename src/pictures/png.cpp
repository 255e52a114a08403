#include "pictures/png.h"

#include <zlib.h>

#include <cassert>

#include "base/error.h"

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
  append_big_endian(
      out, static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(out.data() + start),
                                       static_cast<uInt>(out.size() - start))));
}

std::string compressed(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()),
                               static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  if (status != Z_OK) throw IoError("cannot compress a picture: out of memory");
  out.resize(size);
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
