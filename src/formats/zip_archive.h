// The entries of zip archives, stored or deflated. Source: PKWARE's APPNOTE.TXT.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/arrays/array.h"

namespace polygraphy {

// Signatures of the records of an archive.
inline constexpr uint32_t kZipLocalHeader = 0x04034b50, kZipCentralHeader = 0x02014b50,
                          kZipEnd = 0x06054b50, kZipEnd64Locator = 0x07064b50,
                          kZipEnd64 = 0x06064b50;

struct ZipEntry {
  uint16_t flags = 0, method = 0;
  uint32_t crc = 0;
  uint64_t compressed = 0, size = 0, local_offset = 0;  // bytes
  std::string name;
  // Whether the bytes need no comparison with `crc` any more. Copies of the entry share it, so that
  // tensors of one storage cost one pass.
  std::shared_ptr<std::atomic<bool>> checked;
};

bool is_zip(std::span<const std::byte> file);

// Lists the entries of an archive. Methods throw FormatError; `what` names the file in messages.
class ZipDirectory {
 public:
  ZipDirectory(std::span<const std::byte> file, std::string what);
  // Goes to the next entry; false behind the last one.
  bool next();
  const ZipEntry& entry() const { return entry_; }

 private:
  std::span<const std::byte> file_;
  std::string what_;
  uint64_t unclaimed_;  // bytes that no entry so far has; bombs have many entries of one place
  uint64_t offset_ = 0, left_ = 0;
  ZipEntry entry_;
};

// The bytes of an entry, uint8 in one dimension: a view of `file` where they are stored. The first
// read compares them with the entry's checksum. Refuses what a few bytes become more than 64 MiB of
// (200 times their number). Throws FormatError; `what` names the array in
// messages.
Array read_zip_entry(std::span<const std::byte> file, const ZipEntry& entry,
                     std::shared_ptr<const void> owner, const std::string& what);

}  // namespace polygraphy
