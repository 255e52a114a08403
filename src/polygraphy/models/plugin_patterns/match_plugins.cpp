#include "polygraphy/models/plugin_patterns/match_plugins.h"

#include <optional>
#include <set>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "polygraphy/models/plugin_patterns/pattern_model.h"

namespace polygraphy {
namespace {

YamlValue to_yaml(const JsonValue& value) {
  if (value.is_null()) return {};
  if (value.is_boolean()) return YamlValue(value.boolean());
  if (value.is_integer()) return YamlValue(value.integer());
  if (value.is_text()) return YamlValue(value.text());
  if (value.is_list()) {
    YamlValue::List items;
    for (const JsonValue& item : value.list()) items.push_back(to_yaml(item));
    return YamlValue(std::move(items));
  }
  if (value.is_object()) {
    YamlValue::Map entries;
    for (const auto& [key, item] : value.object()) entries.set(key, to_yaml(item));
    return YamlValue(std::move(entries));
  }
  return YamlValue(value.number());
}

void warn_of_absent_tensors(const PluginMatches& matches, const PatternFile& file,
                            const graphsurgeon::TensorLookup& tensors, Logger& log) {
  std::set<std::string> absent;
  for (const PluginInstance& instance : matches.instances) {
    for (const auto* names : {&instance.inputs, &instance.outputs}) {
      for (const std::string& name : *names) {
        if (!tensors.find(name) && absent.insert(name).second) {
          log.warning(log_modules::kPlugin, "Plugin " + file.plugin + " (" + file.path +
                                                ") names the tensor " + py_str_repr(name) +
                                                ", which the model does not have");
        }
      }
    }
  }
}

PluginMatches ask(const PatternFile& file, PatternModel& model, const MatchOptions& options,
                  UserPython& python) {
  PythonMessage request;
  request.header.set("path", file.path);
  request.header.set("packages", options.packages);
  model.describe(request.header);
  const PythonMessage reply =
      python.call("match_plugin", std::move(request), "Script " + file.path);
  PluginMatches matches;
  matches.plugin = reply.header["name"].text();
  matches.op = reply.header["op"].text();
  for (const JsonValue& instance : reply.header["instances"].list()) {
    matches.instances.push_back(read_instance(to_yaml(instance), file.path));
  }
  return matches;
}

}  // namespace

FoundPlugins match_plugins(const MatchOptions& options, const std::shared_ptr<UserPython>& python,
                           Logger& log) {
  FoundPlugins found;
  std::optional<PatternModel> model;
  std::optional<graphsurgeon::TensorLookup> tensors;
  for (const PatternFile& file : find_patterns(options.patterns, log)) {
    log.info(log_modules::kPlugin, "checking " + file.plugin + " in model");
    if (model) {
      // Every pattern sees the model as it was loaded, so it says so.
      log.info(log_modules::kOnnxLoader, "Loading model: " + options.model.path);
    } else {
      model.emplace(options.model, log);
      tensors.emplace(*model->model().graph);
    }
    PluginMatches matches = ask(file, *model, options, *python);
    warn_of_absent_tensors(matches, file, *tensors, log);
    found.counts.emplace_back(file.plugin, matches.instances.size());
    if (!matches.instances.empty()) found.config.push_back(std::move(matches));
  }
  log.info(log_modules::kPlugin, "the following plugins matched:");
  log.info(log_modules::kPlugin, counts_text(found));
  return found;
}

std::string counts_text(const FoundPlugins& found) {
  std::string text = "{";
  for (const auto& [plugin, count] : found.counts) {
    if (text.size() > 1) text += ", ";
    text += py_str_repr(plugin) + ": " + std::to_string(count);
  }
  return text + "}";
}

}  // namespace polygraphy
