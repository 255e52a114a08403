// Files that are either complete or missing: written without a name in the target's folder, where
// the file system supports that, else under a temporary one, and put in place when they are
// complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/os/durability.h"

namespace polygraphy {

// Symbolic links are resolved and their target replaced; the mode of a replaced file is kept. "-"
// (standard output), /dev/null, pipes and other non-regular targets are written through directly.
// Destruction without commit() removes the temporary file and leaves the old one. A signal handler
// may call remove_temporary_files() to do so on Ctrl-C; leftovers of a killed process are removed
// when the same file is written again. Refuses ProtectedFiles.
class AtomicFile {
 public:
  // Creates missing parent folders when `make_parents`. Throws IoError.
  explicit AtomicFile(std::string path, Durability durability = Durability::kFsync,
                      bool make_parents = true);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Buffered; throws IoError naming path, bytes written so far and the reason (a full disk, say).
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  // Copies `length` bytes from descriptor `fd` at `offset` without passing through the heap
  // (reflink or copy_file_range where the system can). Holes stay holes.
  void copy_from(int fd, uint64_t offset, uint64_t length);
  // Reports of progress name this size as the final one.
  void expect(uint64_t bytes);
  // Pads with zeros to a multiple of `alignment`.
  void align(uint64_t alignment);
  uint64_t position() const;

  // For formats that know their first bytes last. False for destinations without replacement
  // (pipes), for which the two functions below throw IoError.
  bool rewritable() const;
  // Replaces bytes that have been written; position() stays.
  void rewrite(uint64_t offset, std::span<const std::byte> bytes);
  // Moves all from `offset` to the end back by `length` bytes, which are undefined then. Memory is
  // bounded; the bytes behind `offset` are read and written once.
  void make_room(uint64_t offset, uint64_t length);

  void commit();
  // All of commit() but putting the file in place, for commit_together(); closes it, because there
  // may be a file for each of many tensors.
  void complete();
  const std::string& path() const { return path_; }

 private:
  friend void commit_together(std::span<const std::unique_ptr<AtomicFile>> files);
  struct State;
  std::string path_;
  std::unique_ptr<State> state_;
};

// Commits files that belong together, in this order. All are complete before the first replaces
// anything. If one cannot be put in place, the old files are put back. Holds signals
// between the first and the last. Throws IoError.
void commit_together(std::span<const std::unique_ptr<AtomicFile>> files);

// Convenience: the whole file at once.
void write_file(const std::string& path, std::string_view contents,
                Durability durability = Durability::kFsync);
void write_file(const std::string& path, std::span<const std::byte> contents,
                Durability durability = Durability::kFsync);

// Async-signal-safe: removes the temporary files of all live AtomicFile objects, and other files
// that are noted as temporary (temporaries.h).
void remove_temporary_files() noexcept;

}  // namespace polygraphy
