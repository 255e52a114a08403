// Directories of saved files, one per iteration, and the files that single-file saving writes to.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/os/atomic_file.h"
#include "base/os/files/descriptor.h"
#include "formats/json_writer.h"

namespace polygraphy {

// The `*.json` of a directory in name order, without hidden ones, pipes and devices; without any,
// its binary files (result_store.h). Throws IoError, and Error if the directory has no such files.
std::vector<std::string> list_iteration_files(const std::string& directory);

// The paths of a folder's entries in natural order, a2 before a10, without hidden ones, pipes and
// devices.
struct Folder {
  std::vector<std::string> files, folders;
};
// Throws IoError.
Folder list_folder(const std::string& path);

bool is_existing_directory(const std::string& path);

// Last component without an extension and no regular file of that name there: a directory. So is a
// path that ends in '/', whose extension gives that of the files: "results.npz/".
bool is_directory_target(const std::string& path);

// 0000000007.json in `directory`; for one that is written with its format, "results.npz/",
// 0000000007.npz.
std::string iteration_file(const std::string& directory, int64_t index);

// 0000000007 in `directory`.
std::string iteration_folder(const std::string& directory, int64_t index);

// Creates the directory if it is missing. Throws Error if it is not empty; `description` names the
// data to save there.
void prepare_directory(const std::string& path, std::string_view description);

// Logs the start of saving: "Saving <description> to a single file: <path>" or "… a directory of
// per-iteration files: <path>"; and when a file is written: "Saving <description> to <path>".
void announce_saving(Logger& log, std::string_view description, const std::string& path,
                     bool directory);
void announce_file(Logger& log, std::string_view description, const std::string& path);
// "Loading <description> from <path>".
void announce_loading(Logger& log, std::string_view description, const std::string& path);

// A file that is written as JSON.
struct JsonFile {
  explicit JsonFile(const std::string& path, Durability durability = Durability::kFsync)
      : file(path, durability), sink(file), json(sink) {}
  AtomicFile file;
  SinkInto<AtomicFile> sink;
  JsonWriter json;
};

// Elements of an array on disk, in a file without a name beside the target, for those that become
// known before their place in the target.
class SpillFile : public TextSink {
 public:
  // `beside`: the file for which it is; `depth`: of the array in it. Throws IoError.
  SpillFile(const std::string& beside, int depth);

  void write(std::string_view text) override;
  JsonWriter& json() { return json_; }
  // Into the array that `target` has begun.
  void copy_to(JsonFile& target);

 private:
  void flush(std::string_view text);

  std::string beside_;
  FileDescriptor file_;
  uint64_t size_ = 0;
  std::string buffer_;
  JsonWriter json_;
};

}  // namespace polygraphy
