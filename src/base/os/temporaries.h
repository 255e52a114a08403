// Temporary files and folders, which must not stay when a signal ends this process.
#pragma once

#include <csignal>
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

// Holds signals while files that belong together are put in place: signals of this thread until
// destruction, and remove_temporary_files() in other threads for up to a second.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

// A name that is hardly in use: `stem` and a few letters that no other call gets.
std::string unused_name(const std::string& stem);

// Marks a temporary as in use, for other processes, while `fd` is open.
void lock_temporary(int fd);

// Removes leftovers of killed processes: entries of this kind in `folder`, with a name of
// unused_name() between `prefix` and `suffix`, more than a minute old, and not locked by a process.
// Without working locks, everything stays. Ignores errors.
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
