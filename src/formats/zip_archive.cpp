#include "formats/zip_archive.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/error.h"

namespace polygraphy {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void fail(const std::string& what, const std::string& why) {
  throw FormatError(what + ": " + why);
}

template <typename T>
T read_le(Bytes bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

// `length` bytes at `offset`, which lie inside.
Bytes part(Bytes file, uint64_t offset, uint64_t length, const std::string& what) {
  if (offset > file.size() || length > file.size() - offset) {
    fail(what, "the zip archive is truncated or damaged.");
  }
  return file.subspan(static_cast<size_t>(offset), static_cast<size_t>(length));
}

// Where the central directory starts and how many entries it has.
std::pair<uint64_t, uint64_t> find_directory(Bytes file, const std::string& what) {
  constexpr size_t kEndSize = 22, kMaxComment = 65535;
  if (file.size() < kEndSize) fail(what, "the zip archive is truncated.");
  const size_t last = file.size() - kEndSize;
  const size_t first = last - std::min(last, kMaxComment);
  for (size_t at = last + 1; at-- > first;) {
    if (read_le<uint32_t>(file, at) != kZipEnd) continue;
    const Bytes end = file.subspan(at, kEndSize);
    uint64_t count = read_le<uint16_t>(end, 10), offset = read_le<uint32_t>(end, 16);
    if ((count == 0xFFFF || offset == 0xFFFFFFFF) && at >= 20 &&
        read_le<uint32_t>(file, at - 20) == kZipEnd64Locator) {
      const Bytes end64 = part(file, read_le<uint64_t>(file, at - 12), 56, what);
      if (read_le<uint32_t>(end64, 0) != kZipEnd64) fail(what, "the zip64 directory is damaged.");
      count = read_le<uint64_t>(end64, 32);
      offset = read_le<uint64_t>(end64, 48);
    }
    return {offset, count};
  }
  fail(what, "the zip archive has no directory.");
}

Bytes entry_data(Bytes file, const ZipEntry& entry, const std::string& what) {
  const Bytes local = part(file, entry.local_offset, 30, what);
  if (read_le<uint32_t>(local, 0) != kZipLocalHeader) fail(what, "a zip entry is damaged.");
  const uint64_t start =
      entry.local_offset + 30 + read_le<uint16_t>(local, 26) + read_le<uint16_t>(local, 28);
  return part(file, start, entry.compressed, what);
}

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* it) const { libdeflate_free_decompressor(it); }
};

// A size that would make us allocate for nothing, or fill the memory from a short file.
void check_size(uint64_t deflated, uint64_t size, const std::string& what) {
  constexpr uint64_t kMaxRatio = 1032;  // of deflate
  if (size / kMaxRatio > deflated + 1) fail(what, "the sizes in the zip directory are impossible.");
  constexpr uint64_t kBombSize = uint64_t{64} << 20, kBombRatio = 200;
  if (size > kBombSize && size / kBombRatio > deflated) {
    throw FormatError(
        fmt::format("{}: a zip bomb: {} bytes of compressed data become {}.", what, deflated, size),
        "If you trust the file, save its arrays without compression (numpy.savez).");
  }
}

// Raw deflate, all at once.
Array inflate(Bytes data, uint64_t size, const std::string& what) {
  check_size(data.size(), size, what);
  const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> inflater(
      libdeflate_alloc_decompressor());
  if (inflater == nullptr) throw std::bad_alloc();
  Array result = Array::uninitialized(DataType::kUint8, {static_cast<int64_t>(size)});
  // `size` bytes exactly: anything else is an error.
  if (libdeflate_deflate_decompress(inflater.get(), data.data(), data.size(), result.mutable_data(),
                                    static_cast<size_t>(size), nullptr) != LIBDEFLATE_SUCCESS) {
    fail(what, "the compressed data is damaged or truncated.");
  }
  return result;
}

// Of the first read of an entry.
void check(const ZipEntry& entry, Bytes bytes, const std::string& what) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
  return;  // A fuzzer would find checksums instead of the readers behind them.
#endif
  if (entry.checked->load(std::memory_order_relaxed)) return;
  const uint32_t crc = libdeflate_crc32(0, bytes.data(), bytes.size());
  if (crc != entry.crc) {
    throw FormatError(fmt::format("{}: the entry '{}' of the zip archive is damaged: its checksum "
                                  "is {:08x}, but its bytes have {:08x}.",
                                  what, entry.name, entry.crc, crc),
                      "Copy the file again, or save it again.");
  }
  entry.checked->store(true, std::memory_order_relaxed);
}

}  // namespace

bool is_zip(std::span<const std::byte> file) {
  if (file.size() < 4) return false;
  const auto signature = read_le<uint32_t>(file, 0);
  return signature == kZipLocalHeader || signature == kZipEnd;
}

ZipDirectory::ZipDirectory(std::span<const std::byte> file, std::string what)
    : file_(file), what_(std::move(what)), unclaimed_(file.size()) {
  std::tie(offset_, left_) = find_directory(file_, what_);
}

bool ZipDirectory::next() {
  if (left_ == 0) return false;
  --left_;
  const Bytes fixed = part(file_, offset_, 46, what_);
  if (read_le<uint32_t>(fixed, 0) != kZipCentralHeader)
    fail(what_, "the zip directory is damaged.");
  entry_.flags = read_le<uint16_t>(fixed, 8);
  entry_.method = read_le<uint16_t>(fixed, 10);
  entry_.crc = read_le<uint32_t>(fixed, 16);
  entry_.checked = std::make_shared<std::atomic<bool>>(false);
  entry_.compressed = read_le<uint32_t>(fixed, 20);
  entry_.size = read_le<uint32_t>(fixed, 24);
  entry_.local_offset = read_le<uint32_t>(fixed, 42);
  const uint16_t name_size = read_le<uint16_t>(fixed, 28),
                 extra_size = read_le<uint16_t>(fixed, 30),
                 comment_size = read_le<uint16_t>(fixed, 32);
  const Bytes name = part(file_, offset_ + 46, name_size, what_);
  entry_.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  Bytes extra = part(file_, offset_ + 46 + name_size, extra_size, what_);
  while (extra.size() >= 4) {
    const uint16_t id = read_le<uint16_t>(extra, 0), size = read_le<uint16_t>(extra, 2);
    Bytes field = part(extra, 4, size, what_);
    extra = extra.subspan(4 + size);
    if (id != 1) continue;  // zip64: values of the three that did not fit in 32 bits
    for (uint64_t* value : {&entry_.size, &entry_.compressed, &entry_.local_offset}) {
      if (*value != 0xFFFFFFFF || field.size() < 8) continue;
      *value = read_le<uint64_t>(field, 0);
      field = field.subspan(8);
    }
  }
  if (entry_.method == 0) entry_.size = entry_.compressed;  // stored as they are
  if (entry_.compressed > unclaimed_) {
    fail(what_,
         fmt::format("the zip archive is smaller than its entries, up to '{}': they overlap.",
                     entry_.name));
  }
  unclaimed_ -= entry_.compressed;
  offset_ += 46 + uint64_t{name_size} + extra_size + comment_size;
  return true;
}

Array read_zip_entry(std::span<const std::byte> file, const ZipEntry& entry,
                     std::shared_ptr<const void> owner, const std::string& what) {
  if ((entry.flags & 1) != 0) fail(what, "the archive is encrypted.");
  const Bytes data = entry_data(file, entry, what);
  if (entry.method != 0 && entry.method != 8) {
    fail(what, "compression method " + std::to_string(entry.method) + " is not supported.");
  }
  Array bytes = entry.method == 8
                    ? inflate(data, entry.size, what)
                    : Array::view(DataType::kUint8, {static_cast<int64_t>(data.size())},
                                  data.data(), std::move(owner));
  check(entry, bytes.bytes(), what);
  return bytes;
}

}  // namespace polygraphy
