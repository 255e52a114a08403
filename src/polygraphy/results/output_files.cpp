#include "polygraphy/results/output_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "polygraphy/results/input_files.h"
#include "polygraphy/results/iteration_files.h"
#include "polygraphy/results/result_store.h"
#include "polygraphy/tensors/raw_input.h"
#include "polygraphy/tensors/tensor_file.h"

namespace polygraphy {
namespace {

struct Folder {
  bool saved = false;  // holds files of whole iterations
  OutputFiles arrays;  // files of one array each
  std::vector<std::string> folders;
};

bool holds_one_array(const std::string& name) {
  const TensorFormat* format = format_of_extension(name);
  return format != nullptr && format->content == TensorFormat::Content::kOneArray;
}

Folder read_folder(const std::string& path) {
  Folder result;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(path, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with('.') || name.starts_with("input_")) continue;
    const std::string whole = path + (path.ends_with('/') ? "" : "/") + name;
    if (is_existing_directory(whole)) {
      result.folders.push_back(whole);
    } else if (name.ends_with(".json") || is_store_target(name)) {
      result.saved = true;
    } else if (holds_one_array(name)) {
      result.arrays.push_back(whole);
    }
  }
  if (failed) throw IoError("Cannot read directory '" + path + "': " + failed.message() + ".");
  std::sort(result.arrays.begin(), result.arrays.end(), natural_less);
  std::sort(result.folders.begin(), result.folders.end(), natural_less);
  return result;
}

}  // namespace

std::deque<OutputFiles> list_output_files(const std::string& path) {
  if (!is_existing_directory(path)) return {{path}};
  Folder folder = read_folder(path);
  std::deque<OutputFiles> result;
  if (folder.saved) {
    for (const std::string& file : list_iteration_files(path)) result.push_back({file});
    return result;
  }
  if (!folder.arrays.empty()) return {std::move(folder.arrays)};
  for (const std::string& sample : folder.folders) {
    Folder one = read_folder(sample);
    if (!one.arrays.empty()) result.push_back(std::move(one.arrays));
  }
  if (result.empty()) {
    throw Error("No per-iteration '*.json' files found in directory: " + path,
                "Nor are there other files of outputs (" + names_of_binary_formats() + ", " +
                    names_of_loaded_formats() + "), in it or in its folders.");
  }
  return result;
}

std::string name_of_outputs(const std::string& path) {
  const auto raw = parse_raw_input(path);
  std::string whole = raw ? raw->path : path;
  whole.resize(whole.find_last_not_of('/') + 1);
  return whole.substr(whole.rfind('/') + 1);
}

}  // namespace polygraphy
