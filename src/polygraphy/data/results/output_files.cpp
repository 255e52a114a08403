#include "polygraphy/data/results/output_files.h"

#include "base/error.h"
#include "polygraphy/data/results/iteration_files.h"
#include "polygraphy/data/results/result_store.h"
#include "polygraphy/data/tensors/raw_input.h"

namespace polygraphy {
namespace {

struct Outputs {
  bool saved = false;  // holds files of whole iterations
  OutputFiles arrays;  // files of one output each, or of some
  std::vector<std::string> folders;
};

// Beside outputs, there may be inputs: of no concern.
bool is_input(const std::string& path) {
  return path.substr(path.rfind('/') + 1).starts_with("input_");
}

bool holds_part(const std::string& name) {
  const TensorFormat* format = format_of_extension(name);
  return format != nullptr && format->content == TensorFormat::Content::kPart;
}

Outputs outputs_in(const std::string& path) {
  Outputs result;
  const Folder folder = list_folder(path);
  for (const std::string& file : folder.files) {
    if (is_input(file)) continue;
    if (file.ends_with(".json") || is_store_target(file)) {
      result.saved = true;
    } else if (holds_part(file)) {
      result.arrays.push_back(file);
    }
  }
  for (const std::string& inner : folder.folders) {
    if (!is_input(inner)) result.folders.push_back(inner);
  }
  return result;
}

}  // namespace

std::deque<OutputFiles> list_output_files(const std::string& path) {
  if (!is_existing_directory(path)) return {{path}};
  Outputs folder = outputs_in(path);
  std::deque<OutputFiles> result;
  if (folder.saved) {
    for (const std::string& file : list_iteration_files(path)) result.push_back({file});
    return result;
  }
  if (!folder.arrays.empty()) return {std::move(folder.arrays)};
  for (const std::string& sample : folder.folders) {
    Outputs one = outputs_in(sample);
    if (!one.arrays.empty()) result.push_back(std::move(one.arrays));
  }
  if (result.empty()) {
    throw Error("No per-iteration '*.json' files found in directory: " + path,
                "It contains no other files of outputs (" + names_of_binary_formats() + ", " +
                    names_of_loaded_formats() + "), and neither do its folders.");
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
