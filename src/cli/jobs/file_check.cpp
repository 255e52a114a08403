#include "cli/jobs/file_check.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/os/paths.h"
#include "base/os/writable.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "cli/syntax/syntax.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/models/loaders/model_folder.h"

namespace polygraphy::cli {
namespace {

namespace fs = std::filesystem;

struct ReadFile {
  FileIdentity identity;
  std::string path;       // as messages name it
  std::string file;       // to be opened
  std::string reader;     // "model_file", "--load-inputs"; "model.onnx", of a data file
  std::string key;        // of the option
  bool of_model = false;  // a data file
};

struct WrittenFile {
  std::string path;  // to be opened
  std::string typed;
  std::string key, spelling;  // of the option
  const Option* option;
  bool is_folder = false;
};

bool is_one_of(std::string_view keys, std::string_view key) {
  const auto words = split(keys, ' ');
  return std::find(words.begin(), words.end(), key) != words.end();
}

class FileCheck {
 public:
  FileCheck(std::span<const ParsedArgs* const> levels, const Environment& env,
            std::span<const std::string_view> without = {})
      : env_(env) {
    for (const ParsedArgs* args : levels) {
      for (const Occurrence& one : args->occurrences()) {
        if (std::ranges::count(without, one.entry->key()) == 0) add(*args, one);
      }
    }
    args_ = levels.back();
    add_data_names();
  }

  std::vector<std::string> inputs() {
    add_data_files();
    std::vector<std::string> paths;
    for (const ReadFile& file : read_) {
      if (std::ranges::count(paths, file.file) == 0) paths.push_back(file.file);
    }
    return paths;
  }

  std::vector<FileIdentity> run() {
    if (may_touch_data_files()) add_data_files();
    for (const WrittenFile& written : written_) refuse_what_is_read(written);
    refuse_shared_outputs();
    for (const WrittenFile& written : written_) check_writable(written);
    return left_alone();
  }

 private:
  void add(const ParsedArgs& args, const Occurrence& one) {
    const Option& option = *one.entry->option;
    const std::string key(one.entry->key());
    switch (option.files) {
      case FileUse::kNone:
        return;
      case FileUse::kRead:
        refuse_folders(one);
        for (const auto& value : one.values) add_read(value, key);
        return;
      case FileUse::kReadModel:
        for (const auto& value : one.values) {
          add_read(value, key);
          models_.push_back({value, key});
        }
        return;
      case FileUse::kReadCommand:
        add_command(one.values, key);
        return;
      case FileUse::kFolderOfData:
        data_folder_ = one.values.empty() ? "" : env_.path(one.values.front());
        return;
      case FileUse::kWrittenBeside:
        return;  // add_data_names()
      case FileUse::kUpdated:
        for (const auto& value : one.values) add_read(value, key);
        break;
      case FileUse::kWritten:
      case FileUse::kMoved:
        break;
    }
    // Of the others, the last one counts.
    if (!option.appends && args.count(key) > 1 && args.list(key) != one.values) return;
    for (const auto& value : one.values) add_written(value, one);
  }

  // Of an option of a back end, which says whether it takes files or folders.
  void refuse_folders(const Occurrence& one) const {
    if (!one.entry->backend || one.entry->backend->type != PGB_PATH) return;
    for (const auto& value : one.values) {
      std::error_code ignored;
      if (fs::is_directory(env_.path(value), ignored))
        throw Error(one.spelling + ": '" + value + "' is a folder", "Give the path of a file.");
    }
  }

  void add_read(const std::string& value, const std::string& key) {
    const std::string path = existing_part(env_.path(value));
    std::error_code error;
    if (const auto identity = identity_of(path)) {
      read_.push_back({*identity, value, path, key, key});
    } else if (fs::is_directory(path, error)) {
      add_files_in(path, key);
    }
  }

  // Folders of samples have folders of tensors below them.
  void add_files_in(const std::string& folder, const std::string& key) {
    constexpr int kDeepest = 2;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                        error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
      if (at.depth() >= kDeepest) at.disable_recursion_pending();
      if (const auto inside = identity_of(at->path().native()))
        read_.push_back({*inside, at->path().native(), at->path().native(), key, key});
    }
  }

  void add_command(const std::vector<std::string>& words, const std::string& key) {
    for (const std::string& word : words) {
      if (words.size() > 1) {
        add_word(word, key);
        continue;
      }
      try {
        for (const std::string& inner : shell_words(word)) add_word(inner, key);
      } catch (const Error&) {
        // A quote that is not closed: the shell will say so.
      }
    }
  }
  void add_word(const std::string& word, const std::string& key) {
    const std::string path = env_.path(word);
    if (const auto identity = identity_of(path)) read_.push_back({*identity, word, path, key, key});
  }

  void add_written(const std::string& value, const Occurrence& one) {
    const Option& option = *one.entry->option;
    const std::string key(one.entry->key()), &spelling = one.spelling;
    // Such as an unset variable in a script: nothing would be written, without a message.
    if (value.empty() && !option.may_be_empty)
      throw Error(spelling + ": the path is empty", "Give a path, or leave " + spelling + " out.");
    if (value.empty() || value == "-") return;
    const std::string path = env_.path(value);
    std::error_code ignored;
    const bool is_folder =
        option.type == ValueType::kFolder ||
        (option.or_folder && (value.back() == '/' || fs::is_directory(path, ignored)));
    written_.push_back({path, value, key, spelling, &option, is_folder});
    if (option.folder_files.empty()) return;
    for (const auto name : split(option.folder_files, ' ')) {
      const std::string inside = "/" + std::string(name);
      written_.push_back({path + inside, value + inside, key, spelling, &option});
    }
  }

  // Where the data of a model that is written goes: names in its folder.
  void add_data_names() {
    for (const WrittenFile& model : std::vector(written_)) {
      if (model.option->may_be != "model_file") continue;
      default_data_ = model.path + ".data";
      for (const auto& entry : args_->syntax().entries()) {
        if (entry.option->files != FileUse::kWrittenBeside) continue;
        for (const auto& values : args_->all(entry.key())) {
          const std::string name = values.empty() || values.front().empty()
                                       ? fs::path(model.path).filename().native() + ".data"
                                       : values.front();
          const std::string key(entry.key());
          written_.push_back(
              {fs::path(model.path).replace_filename(name).native(), name, key, key, entry.option});
        }
      }
    }
  }

  // Only a file that is there can be one of the model's data files. To find these, its structure
  // has to be read.
  bool may_touch_data_files() const {
    const auto is_something_else = [&](const std::string& path) {
      const auto identity = identity_of(path);
      return identity && reader_of(*identity) == nullptr;
    };
    return is_something_else(default_data_) ||
           std::any_of(written_.begin(), written_.end(),
                       [&](const WrittenFile& one) { return is_something_else(one.path); });
  }

  void add_data_files() {
    for (const auto& [typed, key] : models_) {
      const std::string path = env_.path(typed);
      std::error_code unreadable;
      if (!fs::is_regular_file(path, unreadable)) continue;  // a pipe is read once, by the command
      try {
        const auto model = graphsurgeon::load_model(path, {.external_data_dir = data_folder_});
        for (const DataFile& file : external_data_files(model)) {
          const fs::path data = fs::path(file.folder) / file.location;
          if (const auto identity = identity_of(data.native()))
            read_.push_back({*identity, file.location, data.native(), typed, key, true});
        }
      } catch (const Error&) {
        // Not a model: the command says so.
      }
    }
  }

  const ReadFile* reader_of(const FileIdentity& identity) const {
    for (const ReadFile& file : read_) {
      if (file.identity == identity) return &file;
    }
    return nullptr;
  }

  // A model may be saved over itself, with its data.
  bool may_replace(const WrittenFile& written, const ReadFile& read) const {
    if (written.option->files == FileUse::kUpdated && belong_together(read.key, written.key))
      return true;
    if (!read.of_model) return is_one_of(written.option->may_be, read.key);
    if (written.option->files != FileUse::kWrittenBeside) return false;
    const auto model = identity_of(env_.path(read.reader));
    return std::any_of(written_.begin(), written_.end(), [&](const WrittenFile& other) {
      return is_one_of(other.option->may_be, read.key) && model && identity_of(other.path) == model;
    });
  }

  // One option, or two of a back end: a cache that is read may be the one that is extended.
  bool belong_together(std::string_view key, std::string_view other) const {
    if (key == other) return true;
    const auto back_end_of = [&](std::string_view each) -> const pgb_backend_options* {
      const Syntax::Entry* entry = args_->syntax().find(each);
      return entry ? args_->syntax().section_of(*entry).backend : nullptr;
    };
    return back_end_of(key) && back_end_of(key) == back_end_of(other);
  }

  void refuse_what_is_read(const WrittenFile& written) const {
    const auto identity = identity_of(written.path);
    if (!identity || written.is_folder) return;
    for (const ReadFile& read : read_) {
      if (read.identity != *identity || may_replace(written, read)) continue;
      std::string text = written.spelling + " would overwrite '" + written.typed + "'";
      if (read.path != written.typed) text += ", which is '" + read.path + "'";
      if (read.of_model) {
        text += ", a data file of the model '" + read.reader + "'";
      } else if (read.reader.starts_with('-')) {
        text += ": " + read.reader + " reads it";
      } else {
        text += ": this command reads it";
      }
      throw Error(text, "Write to another path.");
    }
  }

  // The same for all paths of a file, also of one that does not exist yet.
  static std::string place(const std::string& path) {
    std::error_code failed;
    const fs::path target = fs::absolute(resolve_links(path).value_or(path), failed);
    const fs::path whole = fs::weakly_canonical(target, failed);
    return whole.empty() ? path : whole.native();
  }

  void refuse_shared_outputs() const {
    std::map<std::string, const WrittenFile*> taken;  // by place
    for (const WrittenFile& one : written_) {
      std::error_code ignored;
      if (one.is_folder || one.option->files == FileUse::kMoved) continue;
      if (fs::exists(one.path, ignored) && !identity_of(one.path)) continue;  // /dev/null
      const auto [at, is_new] = taken.emplace(place(one.path), &one);
      if (is_new || at->second->key == one.key) continue;
      throw Error(
          at->second->spelling + " and " + one.spelling + " would both write '" + one.typed + "'",
          "Give each a different path.");
    }
  }

  // --gen-script only writes the paths.
  bool writes_script_only() const {
    return args_->syntax().find("--gen") != nullptr && args_->has("--gen");
  }

  void check_writable(const WrittenFile& written) const {
    if (written.option->files == FileUse::kMoved) return;
    if (writes_script_only() && written.key != "--gen" && written.key != "--log-file") return;
    // A folder that is a file: nothing is lost, and the command says so in the original's words.
    if (written.is_folder && identity_of(written.path)) return;
    if (written.is_folder) {
      check_folder_writable(written.path);
    } else {
      check_file_writable(written.path);
    }
  }

  std::vector<FileIdentity> left_alone() const {
    std::set<FileIdentity> replaced;
    for (const WrittenFile& written : written_) {
      if (const auto identity = identity_of(written.path)) replaced.insert(*identity);
    }
    std::vector<FileIdentity> result;
    for (const ReadFile& read : read_) {
      if (replaced.contains(read.identity) || has_default_writer(read.key) || is_updated(read.key))
        continue;
      result.push_back(read.identity);
    }
    return result;
  }

  // The option's files are written again: one, or those in a folder.
  bool is_updated(const std::string& key) const {
    const Syntax::Entry* entry = args_->syntax().find(key);
    return entry && entry->option->files == FileUse::kUpdated;
  }

  // An option that is not given may still write, to a file that it may share with the other.
  bool has_default_writer(const std::string& key) const {
    const auto& entries = args_->syntax().entries();
    return key != "model_file" &&
           std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
             return is_one_of(entry.option->may_be, key) && !args_->has(entry.key());
           });
  }

  const Environment& env_;
  const ParsedArgs* args_ = nullptr;
  std::vector<ReadFile> read_;
  std::vector<std::pair<std::string, std::string>> models_;  // as typed; key
  std::vector<WrittenFile> written_;
  std::string data_folder_, default_data_;
};

}  // namespace

std::string existing_part(std::string path) {
  std::error_code ignored;
  while (!fs::exists(path, ignored)) {
    const size_t colon = path.rfind(':');
    if (colon == std::string::npos || colon < path.rfind('/') + 1) break;
    path.resize(colon);
  }
  return path;
}

std::vector<FileIdentity> check_files(std::span<const ParsedArgs* const> levels,
                                      const Environment& env) {
  return FileCheck(levels, env).run();
}

std::vector<std::string> files_read(const ParsedArgs& args, const Environment& env,
                                    std::span<const std::string_view> without) {
  const ParsedArgs* const levels[] = {&args};
  return FileCheck(levels, env, without).inputs();
}

bool takes_standard_output(std::span<const ParsedArgs* const> levels) {
  constexpr std::string_view kNames = "- /dev/stdout /dev/fd/1 /proc/self/fd/1";
  for (const ParsedArgs* args : levels) {
    for (const Occurrence& one : args->occurrences()) {
      if (one.entry->option->files != FileUse::kWritten || one.entry->key() == "--log-file")
        continue;
      for (const std::string& value : one.values) {
        if (is_one_of(kNames, value)) return true;
      }
    }
  }
  return false;
}

}  // namespace polygraphy::cli
