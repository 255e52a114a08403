#include "polygraphy/diagnosis/zoo/zoo_models.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/glob.h"
#include "base/near_names.h"
#include "base/os/file_text.h"
#include "base/text.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/models/loaders/model_folder.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

void add_folder(const std::string& folder, std::vector<std::string>& models) {
  std::error_code failed;
  std::vector<std::string> found;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                      failed);
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    if (at->is_regular_file(failed) && at->path().extension() == ".onnx")
      found.push_back(at->path().native());
  }
  if (failed) throw IoError("cannot read " + folder + ": " + failed.message());
  std::ranges::sort(found);
  models.insert(models.end(), found.begin(), found.end());
}

void add_list(const std::string& path, std::vector<std::string>& models) {
  const std::string text = read_text(path);
  const fs::path folder = fs::path(path).parent_path();
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view model = strip(line);
    if (!model.empty() && !model.starts_with("#")) models.push_back((folder / model).native());
  }
}

}  // namespace

std::vector<std::string> zoo_models(std::span<const std::string> places) {
  std::vector<std::string> models;
  for (const std::string& place : places) {
    std::error_code ignored;
    if (fs::is_directory(place, ignored)) {
      add_folder(place, models);
    } else if (place.ends_with(".txt")) {
      add_list(place, models);
    } else {
      if (!fs::exists(place, ignored))
        throw IoError("cannot open '" + place + "': there is no such file or folder");
      models.push_back(place);
    }
  }
  if (models.empty()) throw Error("There is no model", "Folders are searched for .onnx files.");
  return models;
}

void require_inputs_of_models(const DataLoaderOptions& inputs,
                              std::span<const std::string> models) {
  std::set<std::string> wanted, names;
  for (const auto& [name, shape] : inputs.shapes) wanted.insert(name);
  for (const auto& [name, range] : inputs.val_range) wanted.insert(name);
  wanted.erase("");
  for (size_t i = 0; i < models.size() && !wanted.empty(); ++i) {
    try {
      const graphsurgeon::Model model = graphsurgeon::load_model(models[i]);
      for (const auto& input : model.graph->inputs()) names.emplace(input->name());
    } catch (const Error&) {  // The zoo reports it.
    }
    std::erase_if(wanted, [&](const std::string& name) {
      const auto item = parse_item_name(name);
      const Glob glob(name);
      return names.contains(name) || (item && names.contains(std::string(item->sequence))) ||
             std::ranges::any_of(names, [&](const auto& each) { return glob.matches(each); });
    });
  }
  if (wanted.empty()) return;
  throw Error("No model has an input '" + *wanted.begin() + "'",
              unknown_name_hint(*wanted.begin(), names, "Inputs"));
}

std::vector<std::string> zoo_companions(const std::string& model) {
  std::vector<std::string> paths;
  std::error_code ignored;
  try {
    for (const DataFile& file : external_data_files(graphsurgeon::load_model(model)))
      paths.push_back((fs::path(file.folder) / file.location).native());
  } catch (const Error&) {
    // The zoo reports it.
  }
  const fs::path saved = fs::path(model).parent_path() / kInputsFolder;
  if (!fs::is_directory(saved, ignored)) return paths;
  for (const auto& entry : fs::directory_iterator(saved, ignored))
    paths.push_back(entry.path().native());
  std::ranges::sort(paths);
  return paths;
}

}  // namespace polygraphy
