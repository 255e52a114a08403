#include "polygraphy/models/plugin_patterns/replace_plugins.h"

#include <optional>

#include "base/log_modules.h"
#include "base/os/mapped_file.h"
#include "base/os/protected_files.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/models/plugin_patterns/pattern_files.h"
#include "polygraphy/models/plugin_patterns/pattern_model.h"
#include "polygraphy/models/plugin_patterns/replace_subgraph.h"

namespace polygraphy {
namespace {

using graphsurgeon::TensorLookup;

// The original sorts the nodes after every instance, and so do we where that takes no time: nodes
// that do not depend on each other come to stand in the same order. Beyond, they are sorted once.
constexpr size_t kMostNodesSorted = 5'000'000;

JsonValue to_json(const YamlValue& value) {
  if (const auto* truth = std::get_if<bool>(&value.data)) return *truth;
  if (const auto* integer = std::get_if<int64_t>(&value.data)) return *integer;
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  if (value.text()) return *value.text();
  if (value.list()) {
    JsonValue::List items;
    for (const YamlValue& item : *value.list()) items.push_back(to_json(item));
    return items;
  }
  if (!value.map()) return {};
  JsonValue::Object entries;
  for (const auto& [key, item] : *value.map()) entries.set(key, to_json(item));
  return entries;
}

JsonValue to_json(const std::vector<std::string>& texts) {
  return JsonValue::List(texts.begin(), texts.end());
}

// True if Python is needed: most pattern files only find subgraphs.
bool may_replace(const std::string& path) {
  const auto file = MappedFile::open(path, AccessPattern::kSequential);
  const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()),
                              file->bytes().size());
  return text.find("replace_with_plugin") != text.npos || text.find("import *") != text.npos;
}

class Replacement {
 public:
  Replacement(const ReplaceOptions& options, const std::string& name, const PythonMaker& python,
              Logger& log)
      : options_(options),
        name_(name),
        make_python_(python),
        log_(log),
        model_(options.model, log) {}

  void replace(const PluginMatches& matches) {
    const TensorLookup tensors(*model_.model().graph);
    for (size_t i = 0; i < matches.instances.size(); ++i) {
      check_tensors(matches.instances[i], tensors, where(matches, i));
    }
    size_t count = matches.instances.size();
    if (const auto replaced = by_plugin(matches)) {
      count = *replaced;
    } else {
      by_nodes(matches, tensors);
    }
    log_.info(log_modules::kPluginReplace,
              "replaced " + std::to_string(count) + " instances of " + matches.plugin + " plugin");
    if (count < matches.instances.size()) {
      log_.warning(log_modules::kPluginReplace,
                   "Warning: not all instances of " + matches.plugin + " were replaced!");
    }
  }

  std::unique_ptr<graphsurgeon::Model> finish() {
    // Replacements of plugins may append nodes that others need.
    if (!is_sorted(*model_.model().graph)) graphsurgeon::toposort(model_.model());
    return model_.release();
  }

 private:
  std::string where(const PluginMatches& matches, size_t i) const {
    return instance_place(matches, i, name_);
  }

  // By the function of its pattern file; nullopt: it has none.
  std::optional<size_t> by_plugin(const PluginMatches& matches) {
    const std::string path = pattern_path(options_.plugin_folder, matches.plugin);
    if (!identity_of(path)) {
      log_.warning(log_modules::kPluginReplace,
                   "No pattern file of the plugin " + matches.plugin + ": " + path +
                       "\nSingle nodes replace its instances. (A configuration uses the name from "
                       "get_plugin_metadata(), which must equal the name of the folder.)");
      return std::nullopt;
    }
    if (!may_replace(path)) return std::nullopt;
    PythonMessage request;
    request.header.set("path", path);
    request.header.set("packages", options_.packages);
    request.header.set("plugin_op", matches.op);
    model_.describe(request.header);
    const std::string output = model_.new_file();
    request.header.set("output", output);
    JsonValue::List instances;
    for (const PluginInstance& instance : matches.instances) {
      JsonValue entry;
      entry.set("inputs", to_json(instance.inputs));
      entry.set("outputs", to_json(instance.outputs));
      const YamlValue* attributes = instance.written.find("attributes");
      entry.set("attributes", attributes ? to_json(*attributes) : JsonValue());
      instances.push_back(std::move(entry));
    }
    request.header.set("instances", std::move(instances));
    if (!python_) python_ = make_python_();
    const PythonMessage reply =
        python_->call("replace_by_plugin", std::move(request), "Script " + path);
    if (reply.header["missing"].boolean()) return std::nullopt;
    model_.take(output);
    return static_cast<size_t>(reply.header["replaced"].integer());
  }

  void by_nodes(const PluginMatches& matches, const TensorLookup& tensors) {
    const size_t count = matches.instances.size();
    const bool sort_each = count * model_.model().graph->nodes().size() <= kMostNodesSorted;
    std::vector<graphsurgeon::NodeRef> nodes;
    for (size_t i = 0; i < matches.instances.size(); ++i) {
      nodes.push_back(replace_subgraph(model_.model(), tensors, matches.op, matches.instances[i],
                                       where(matches, i)));
      if (sort_each) graphsurgeon::toposort(model_.model());
    }
    if (nodes.empty()) return;
    tidy_replaced(model_.model());
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!nodes[i]->outputs().empty()) continue;
      log_.warning(log_modules::kPluginReplace,
                   where(matches, i) + " has no effect: its outputs are no longer needed");
    }
  }

  const ReplaceOptions& options_;
  const std::string& name_;
  const PythonMaker& make_python_;
  Logger& log_;
  PatternModel model_;
  std::shared_ptr<UserPython> python_;
};

}  // namespace

std::unique_ptr<graphsurgeon::Model> replace_plugins(const ReplaceOptions& options,
                                                     const ReplacementConfig& config,
                                                     const std::string& name,
                                                     const PythonMaker& python, Logger& log) {
  Replacement replacement(options, name, python, log);
  for (const PluginMatches& matches : config) replacement.replace(matches);
  return replacement.finish();
}

}  // namespace polygraphy
