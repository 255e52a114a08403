#include "polygraphy/diagnosis/autotune/candidates.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/models/plugin_patterns/replace_subgraph.h"

namespace polygraphy {
namespace {

// Of plugins with many tensors, the first.
std::string tensors_text(const std::vector<std::string>& names) {
  constexpr size_t kMost = 3;
  const std::span<const std::string> all(names);
  return join(all.first(std::min(kMost, all.size())), ", ") + (all.size() > kMost ? ", …" : "");
}

// Whether the file that the model was loaded from can be linked to; true without one.
bool file_is_there(const graphsurgeon::Model& model) {
  const auto& source = model.graph->store().source();
  std::error_code failed;
  return !source || !source->file || std::filesystem::exists(source->file->path(), failed);
}

}  // namespace

CandidateFile::CandidateFile(const graphsurgeon::Model& model) {
  if (file_is_there(model)) {
    sharing_.emplace(model);
    path_ = sharing_->path("model.onnx");
    sharing_->write(model, path_);
  } else {
    copied_.emplace(graphsurgeon::encode_model(model), external_data_files(model));
    path_ = copied_->model_path();
  }
}

Candidates::Candidates(const ReplaceOptions& options, const ReplacementConfig& config,
                       const std::string& name, const PythonMaker& python, Logger& log)
    : options_(options), config_(config), name_(name) {
  // All patterns run their replacement functions in one interpreter.
  python_ = [python, made = std::make_shared<std::shared_ptr<UserPython>>()] {
    if (!*made) *made = python();
    return *made;
  };
  const auto model = load_onnx(options.model, log);
  const graphsurgeon::TensorLookup tensors(*model->graph);
  for (size_t p = 0; p < config.size(); ++p) {
    for (size_t i = 0; i < config[p].instances.size(); ++i) {
      check_tensors(config[p].instances[i], tensors, instance_place(config[p], i, name));
      places_.push_back({p, i});
    }
  }
}

std::string Candidates::describe(size_t replacement) const {
  const Place& place = places_[replacement];
  const PluginInstance& instance = config_[place.plugin].instances[place.instance];
  return names({replacement}) + " (" + tensors_text(instance.inputs) + " -> " +
         tensors_text(instance.outputs) + ")";
}

std::string Candidates::names(const Replacements& replacements) const {
  std::vector<std::string> texts;
  for (const size_t i : replacements) {
    texts.push_back(config_[places_[i].plugin].plugin + " " + std::to_string(places_[i].instance));
  }
  return join(texts, ", ");
}

ReplacementConfig Candidates::selected(const Replacements& replacements) const {
  ReplacementConfig selected;
  size_t last = 0;
  for (const size_t i : replacements) {
    const auto [plugin, instance] = places_[i];
    if (selected.empty() || last != plugin) {
      selected.push_back(config_[plugin]);
      selected.back().instances.clear();
      last = plugin;
    }
    selected.back().instances.push_back(config_[plugin].instances[instance]);
  }
  return selected;
}

std::unique_ptr<graphsurgeon::Model> Candidates::make(const Replacements& replacements,
                                                      Logger& log) const {
  return replace_plugins(options_, selected(replacements), name_, python_, log);
}

Replacements Candidates::effective(const Replacements& replacements,
                                   const graphsurgeon::Model& model) const {
  const graphsurgeon::TensorLookup tensors(*model.graph);
  Replacements effective;
  for (const size_t i : replacements) {
    const auto& outputs = config_[places_[i].plugin].instances[places_[i].instance].outputs;
    if (std::any_of(outputs.begin(), outputs.end(),
                    [&](const std::string& name) { return tensors.find(name) != nullptr; })) {
      effective.push_back(i);
    }
  }
  return effective;
}

}  // namespace polygraphy
