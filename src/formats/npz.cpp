#include "formats/npz.h"

#include <libdeflate.h>

#include "base/error.h"
#include "formats/npy.h"
#include "formats/zip_archive.h"

namespace polygraphy {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void fail(const std::string& what, const std::string& why) {
  throw FormatError(what + ": " + why);
}

constexpr std::string_view kNpzMetadata = "__metadata__";

constexpr std::string_view kSuffix = ".npy";

// An entry's array: a view where it is stored and aligned.
Array read_member(Bytes file, const ZipEntry& entry, std::shared_ptr<const void> owner,
                  const std::string& what) {
  const auto bytes =
      std::make_shared<const Array>(read_zip_entry(file, entry, std::move(owner), what));
  return read_npy(bytes->bytes(), bytes, what);
}

}  // namespace

bool is_npz(std::span<const std::byte> file) {
  if (!is_zip(file)) return false;
  constexpr size_t kName = 30;  // where the name of the first entry is
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (file.size() < kName) return true;
  const auto low = static_cast<uint8_t>(text[26]), high = static_cast<uint8_t>(text[27]);
  return text.substr(kName, low + size_t{256} * high).ends_with(kSuffix);
}

Array read_first_of_npz(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                        const std::string& what) {
  ZipDirectory directory(file, what);
  if (!directory.next()) {
    fail(what, "Array payload is empty or invalid (NPZ archive contains no arrays).");
  }
  const ZipEntry& entry = directory.entry();
  return read_member(file, entry, std::move(owner),
                     what + " (" + entry.name + " in an .npz archive)");
}

TensorFile read_npz(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                    const std::string& path) {
  TensorFile result;
  std::string others;
  for (ZipDirectory directory(file, path); directory.next();) {
    const ZipEntry& entry = directory.entry();
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
    fail(path, "a zip archive without .npy files; it has '" + others + "'.");
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
  append_le(local, kZipLocalHeader);
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
  append_le(directory_, kZipCentralHeader);
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
    append_le(end, kZipEnd64);
    append_le<uint64_t>(end, 44);  // the length of the rest of this record
    append_le<uint16_t>(end, 45);
    append_le<uint16_t>(end, 45);
    append_le<uint32_t>(end, 0);
    append_le<uint32_t>(end, 0);
    append_le(end, count_);
    append_le(end, count_);
    append_le<uint64_t>(end, directory_.size());
    append_le(end, start);
    append_le(end, kZipEnd64Locator);
    append_le<uint32_t>(end, 0);
    append_le<uint64_t>(end, start + directory_.size());
    append_le<uint32_t>(end, 1);
  }
  append_le(end, kZipEnd);
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
