// The models that are measured: the user's, with some of the replacements that a configuration
// names.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/autotune/search.h"
#include "polygraphy/models/candidates/candidate_folder.h"
#include "polygraphy/models/loaders/model_folder.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/plugin_patterns/replace_plugins.h"

namespace polygraphy {

// A model in a separate file, which shares the weights with its source files; weights of a deleted
// file (from a pattern with a custom replacement) are copied.
class CandidateFile {
 public:
  // Throws Error, IoError.
  explicit CandidateFile(const graphsurgeon::Model& model);

  ModelSource source() const { return {.path = path_}; }

 private:
  std::optional<CandidateFolder> sharing_;
  std::optional<ModelFolder> copied_;
  std::string path_;
};

class Candidates {
 public:
  // `name`: of the configuration, for messages. Everything outlives it. Throws Error for a
  // configuration that names tensors which the model has not.
  Candidates(const ReplaceOptions& options, const ReplacementConfig& config,
             const std::string& name, const PythonMaker& python, Logger& log);

  // Replacements are numbered through all plugins, in the order of the configuration.
  size_t count() const { return places_.size(); }
  // "relu 0 (a -> b)": the plugin, the instance of it, and its tensors.
  std::string describe(size_t replacement) const;
  // The plugins and instances only: "relu 0, relu 2".
  std::string names(const Replacements& replacements) const;

  // The model with them. Throws Error where they cannot be made together.
  std::unique_ptr<graphsurgeon::Model> make(const Replacements& replacements, Logger& log) const;
  // Those of them that can be seen in a model with all of them: others have replaced the rest, too.
  Replacements effective(const Replacements& replacements, const graphsurgeon::Model& model) const;

 private:
  struct Place {
    size_t plugin, instance;
  };

  ReplacementConfig selected(const Replacements& replacements) const;

  const ReplaceOptions& options_;
  const ReplacementConfig& config_;
  const std::string& name_;
  PythonMaker python_;
  std::vector<Place> places_;
};

}  // namespace polygraphy
