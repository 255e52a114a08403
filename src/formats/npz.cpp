#include "formats/npz.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "base/error.h"
#include "formats/npy.h"

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

constexpr std::string_view kNpzMetadata = "__metadata__";

constexpr uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEnd = 0x06054b50,
                   kEnd64Locator = 0x07064b50, kEnd64 = 0x06064b50;

struct Entry {
  uint16_t flags = 0, method = 0;
  uint64_t compressed = 0, size = 0, local_offset = 0;
  std::string name;
};

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
    if (read_le<uint32_t>(file, at) != kEnd) continue;
    const Bytes end = file.subspan(at, kEndSize);
    uint64_t count = read_le<uint16_t>(end, 10), offset = read_le<uint32_t>(end, 16);
    if ((count == 0xFFFF || offset == 0xFFFFFFFF) && at >= 20 &&
        read_le<uint32_t>(file, at - 20) == kEnd64Locator) {
      const Bytes end64 = part(file, read_le<uint64_t>(file, at - 12), 56, what);
      if (read_le<uint32_t>(end64, 0) != kEnd64) fail(what, "the zip64 directory is damaged.");
      count = read_le<uint64_t>(end64, 32);
      offset = read_le<uint64_t>(end64, 48);
    }
    return {offset, count};
  }
  fail(what, "the zip archive has no directory.");
}

// The entry at `directory`, which then is where the next one begins.
Entry next_entry(Bytes file, uint64_t& directory, const std::string& what) {
  const Bytes fixed = part(file, directory, 46, what);
  if (read_le<uint32_t>(fixed, 0) != kCentralHeader) fail(what, "the zip directory is damaged.");
  Entry entry;
  entry.flags = read_le<uint16_t>(fixed, 8);
  entry.method = read_le<uint16_t>(fixed, 10);
  entry.compressed = read_le<uint32_t>(fixed, 20);
  entry.size = read_le<uint32_t>(fixed, 24);
  entry.local_offset = read_le<uint32_t>(fixed, 42);
  const uint16_t name_size = read_le<uint16_t>(fixed, 28),
                 extra_size = read_le<uint16_t>(fixed, 30),
                 comment_size = read_le<uint16_t>(fixed, 32);
  const Bytes name = part(file, directory + 46, name_size, what);
  entry.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  Bytes extra = part(file, directory + 46 + name_size, extra_size, what);
  while (extra.size() >= 4) {
    const uint16_t id = read_le<uint16_t>(extra, 0), size = read_le<uint16_t>(extra, 2);
    Bytes field = part(extra, 4, size, what);
    extra = extra.subspan(4 + size);
    if (id != 1) continue;  // zip64: those of the three that did not fit in 32 bits
    for (uint64_t* value : {&entry.size, &entry.compressed, &entry.local_offset}) {
      if (*value != 0xFFFFFFFF || field.size() < 8) continue;
      *value = read_le<uint64_t>(field, 0);
      field = field.subspan(8);
    }
  }
  directory += 46 + uint64_t{name_size} + extra_size + comment_size;
  return entry;
}

Bytes entry_data(Bytes file, const Entry& entry, const std::string& what) {
  const Bytes local = part(file, entry.local_offset, 30, what);
  if (read_le<uint32_t>(local, 0) != kLocalHeader) fail(what, "a zip entry is damaged.");
  const uint64_t start =
      entry.local_offset + 30 + read_le<uint16_t>(local, 26) + read_le<uint16_t>(local, 28);
  return part(file, start, entry.compressed, what);
}

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* it) const { libdeflate_free_decompressor(it); }
};

// Raw deflate, all at once: the array views the inflated bytes.
Array read_deflated(Bytes data, uint64_t size, const std::string& what) {
  // Deflate cannot shrink by more: a size that claims so would make us allocate for nothing.
  constexpr uint64_t kMaxRatio = 1032;
  if (size / kMaxRatio > data.size() + 1)
    fail(what, "the sizes in the zip directory are impossible.");
  const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> inflater(
      libdeflate_alloc_decompressor());
  if (inflater == nullptr) throw std::bad_alloc();
  const auto file =
      std::make_shared<Array>(Array::uninitialized(DataType::kUint8, {static_cast<int64_t>(size)}));
  // `size` bytes exactly: anything else is an error.
  if (libdeflate_deflate_decompress(inflater.get(), data.data(), data.size(), file->mutable_data(),
                                    static_cast<size_t>(size), nullptr) != LIBDEFLATE_SUCCESS) {
    fail(what, "the compressed data is damaged or truncated.");
  }
  return read_npy({file->data(), static_cast<size_t>(size)}, file, what);
}

// An entry's array: a view where it is stored and aligned.
Array read_member(Bytes file, const Entry& entry, std::shared_ptr<const void> owner,
                  const std::string& what) {
  if ((entry.flags & 1) != 0) fail(what, "the archive is encrypted.");
  const Bytes data = entry_data(file, entry, what);
  if (entry.method == 0) return read_npy(data, std::move(owner), what);
  if (entry.method != 8) {
    fail(what, "compression method " + std::to_string(entry.method) + " is not supported.");
  }
  return read_deflated(data, entry.size, what);
}

}  // namespace

bool is_npz(std::span<const std::byte> file) {
  return file.size() >= 4 &&
         (read_le<uint32_t>(file, 0) == kLocalHeader || read_le<uint32_t>(file, 0) == kEnd);
}

Array read_first_of_npz(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                        const std::string& what) {
  auto [directory, count] = find_directory(file, what);
  if (count == 0) {
    fail(what, "Array payload is empty or invalid (NPZ archive contains no arrays).");
  }
  const Entry entry = next_entry(file, directory, what);
  return read_member(file, entry, owner, what + " (" + entry.name + " in an .npz archive)");
}

TensorFile read_npz(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                    const std::string& path) {
  constexpr std::string_view kSuffix = ".npy";
  auto [directory, count] = find_directory(file, path);
  TensorFile result;
  std::string others;
  for (uint64_t i = 0; i < count; ++i) {
    const Entry entry = next_entry(file, directory, path);
    if (!entry.name.ends_with(kSuffix)) {
      others = entry.name;
      continue;
    }
    const std::string name = entry.name.substr(0, entry.name.size() - kSuffix.size());
    const std::string what = path + ": '" + name + "'";
    if (name == kNpzMetadata) {
      const Array text = read_member(file, entry, owner, what);
      if (text.dtype() != DataType::kString || text.size() != 1) fail(what, "not a single text.");
      result.metadata = text.strings().front();
      continue;
    }
    result.tensors.push_back(
        {name, [file, entry, owner, what] { return read_member(file, entry, owner, what); }});
  }
  if (result.tensors.empty() && !others.empty()) {
    throw FormatError(path + ": a zip archive without .npy files; it has '" + others + "'.",
                      "If PyTorch wrote it, save the tensors with numpy.savez instead.");
  }
  return result;
}

namespace {

template <typename T>
void append_le(std::string& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
  }
}

constexpr uint32_t kIn64 = 0xFFFFFFFF;  // the value is in the zip64 field

uint32_t narrow(uint64_t value) {
  return value >= kIn64 ? kIn64 : static_cast<uint32_t>(value);
}

// The common part of a local and a central header. Bit 11: the name is UTF-8. 1980-01-01, so that
// equal arrays give equal files.
void append_common(std::string& out, bool zip64, uint32_t crc, uint64_t size) {
  append_le<uint16_t>(out, zip64 ? 45 : 20);
  append_le<uint16_t>(out, 1 << 11);
  append_le<uint16_t>(out, 0);  // stored
  append_le<uint16_t>(out, 0);
  append_le<uint16_t>(out, 0x21);
  append_le(out, crc);
  append_le(out, narrow(size));
  append_le(out, narrow(size));
}

constexpr uint16_t kZip64Field = 1;

}  // namespace

void NpzWriter::add(std::string_view key, const Array& array) {
  constexpr uint64_t kAlignment = 64;
  constexpr uint16_t kPaddingField = 0xD935;
  const std::string name = std::string(key) + ".npy";
  if (name.size() > 0xFFFF) {
    throw Error("Cannot save '" + file_.path() + "': a tensor's name has " +
                std::to_string(key.size()) + " bytes, above the limit of an .npz archive.");
  }
  const std::string header = npy_header(array);
  uint64_t size = header.size();
  uint32_t crc = libdeflate_crc32(0, header.data(), header.size());
  write_npy_data(array, [&](Bytes bytes) {
    crc = libdeflate_crc32(crc, bytes.data(), bytes.size());
    size += bytes.size();
  });
  const uint64_t offset = file_.position();
  const bool zip64 = size >= kIn64;
  std::string extra;
  if (zip64) {
    append_le(extra, kZip64Field);
    append_le<uint16_t>(extra, 16);
    append_le(extra, size);
    append_le(extra, size);
  }
  const uint64_t start = offset + 30 + name.size() + extra.size() + 4;
  const uint64_t padding = (kAlignment - start % kAlignment) % kAlignment;
  append_le(extra, kPaddingField);
  append_le(extra, static_cast<uint16_t>(padding));
  extra.append(padding, '\0');

  std::string local;
  append_le(local, kLocalHeader);
  append_common(local, zip64, crc, size);
  append_le(local, static_cast<uint16_t>(name.size()));
  append_le(local, static_cast<uint16_t>(extra.size()));
  file_.write(local + name + extra + header);
  write_npy_data(array, [this](Bytes bytes) { file_.write(bytes); });
  add_to_directory(name, offset, size, crc);
}

void NpzWriter::add_to_directory(const std::string& name, uint64_t offset, uint64_t size,
                                 uint32_t crc) {
  std::string wide;
  if (size >= kIn64) {
    append_le(wide, size);
    append_le(wide, size);
  }
  if (offset >= kIn64) append_le(wide, offset);
  const bool central64 = !wide.empty();
  append_le(directory_, kCentralHeader);
  append_le<uint16_t>(directory_, central64 ? 45 : 20);
  append_common(directory_, central64, crc, size);
  append_le(directory_, static_cast<uint16_t>(name.size()));
  append_le(directory_, static_cast<uint16_t>(central64 ? wide.size() + 4 : 0));
  append_le<uint16_t>(directory_, 0);  // comment
  append_le<uint16_t>(directory_, 0);  // disk
  append_le<uint16_t>(directory_, 0);  // attributes
  append_le<uint32_t>(directory_, 0);
  append_le(directory_, narrow(offset));
  directory_ += name;
  if (central64) {
    append_le(directory_, kZip64Field);
    append_le(directory_, static_cast<uint16_t>(wide.size()));
    directory_ += wide;
  }
  ++count_;
}

void NpzWriter::finish() {
  const uint64_t start = file_.position();
  file_.write(directory_);
  const bool zip64 = count_ >= 0xFFFF || start + directory_.size() >= kIn64;
  std::string end;
  if (zip64) {
    append_le(end, kEnd64);
    append_le<uint64_t>(end, 44);  // the length of the rest of this record
    append_le<uint16_t>(end, 45);
    append_le<uint16_t>(end, 45);
    append_le<uint32_t>(end, 0);
    append_le<uint32_t>(end, 0);
    append_le(end, count_);
    append_le(end, count_);
    append_le<uint64_t>(end, directory_.size());
    append_le(end, start);
    append_le(end, kEnd64Locator);
    append_le<uint32_t>(end, 0);
    append_le<uint64_t>(end, start + directory_.size());
    append_le<uint32_t>(end, 1);
  }
  append_le(end, kEnd);
  append_le<uint16_t>(end, 0);
  append_le<uint16_t>(end, 0);
  const auto count = static_cast<uint16_t>(zip64 ? 0xFFFF : count_);
  append_le(end, count);
  append_le(end, count);
  append_le(end, zip64 ? kIn64 : static_cast<uint32_t>(directory_.size()));
  append_le(end, zip64 ? kIn64 : static_cast<uint32_t>(start));
  append_le<uint16_t>(end, 0);
  file_.write(end);
  file_.commit();
}

}  // namespace polygraphy
