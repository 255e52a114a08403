// What exists only while this process works on it, and must not stay when a signal ends it.
#pragma once

#include <string>

namespace polygraphy {

// Notes a file or a folder. remove_temporary_files() (atomic_file.h), which a signal handler calls,
// removes it with all that is in it. There is room for a thousand at a time; more are left to
// destructors. Noted before it is made: a signal may come at any moment.
class NotedTemporary {
 public:
  NotedTemporary() = default;
  explicit NotedTemporary(std::string path);
  ~NotedTemporary();
  NotedTemporary(NotedTemporary&& other) noexcept;
  NotedTemporary& operator=(NotedTemporary&& other) noexcept;

  const std::string& path() const;  // empty: none

 private:
  struct Note;
  Note* note_ = nullptr;
};

// A name that is hardly in use: `stem` and a few letters that no other call gets.
std::string unused_name(const std::string& stem);

// Marks what is being worked on, for other processes: while `fd` is open.
void lock_temporary(int fd);

// Removes what processes that were killed have left: what is of this kind in `folder` and has a
// name that unused_name() made between `prefix` and `suffix`, which no process has locked, and
// which is more than a minute old. Where locks do not work, everything stays. Errors are none of
// the caller's.
enum class LeftOver { kFile, kFolder };
void remove_left_overs(const std::string& folder, const std::string& prefix,
                       const std::string& suffix, LeftOver kind) noexcept;

// Async-signal-safe: `path` and, of a folder, all that is in it.
void remove_tree(const char* path) noexcept;

// For tests: AtomicFile works as on a file system that has no files without names, or that cannot
// give them names.
enum class FileSystemLacks { kNothing, kUnnamedFiles, kNamesForThem };
void pretend_lack(FileSystemLacks what);

}  // namespace polygraphy
