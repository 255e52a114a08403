#include <memory>
#include <string>
#include <utility>

#include "api/given_config.h"
#include "api/given_options.h"
#include "api/given_runners.h"
#include "api/model_object.h"
#include "api/reporting.h"
#include "api/tensor_values.h"
#include "api/yaml_values.h"
#include "calls/api_functions.h"
#include "polygraphy/models/plugin_patterns/match_plugins.h"
#include "polygraphy/models/plugin_patterns/replace_plugins.h"

namespace native {
namespace {

using polygraphy::FoundPlugins;
using polygraphy::PluginInstance;
using polygraphy::PluginMatches;
using polygraphy::YamlValue;

// (model, options, places).
struct GivenPatterns {
  explicit GivenPatterns(PyObject* args) : GivenPatterns(Tuple(args)) {}

  const Keywords keywords;
  const polygraphy::PluginPaths paths;
  const GivenSource model;

 private:
  struct Tuple {
    explicit Tuple(PyObject* args) {
      if (PyArg_ParseTuple(args, "OOO", &model, &options, &places) == 0) throw PythonError();
    }
    PyObject *model = nullptr, *options = nullptr, *places = nullptr;
  };
  explicit GivenPatterns(const Tuple& tuple)
      : keywords(tuple.options), paths(plugin_paths(Keywords(tuple.places))), model(tuple.model) {}
};

PyRef attributes_of(const PluginInstance& instance) {
  const YamlValue* attributes = instance.written.find("attributes");
  return attributes && attributes->map() ? to_python(*attributes) : PyRef::take(PyDict_New());
}

PyRef instance_fields(const PluginInstance& instance) {
  return fields({{"inputs", list_of(instance.inputs, text)},
                 {"outputs", list_of(instance.outputs, text)},
                 {"attributes", attributes_of(instance)}});
}

PyRef matches_fields(const PluginMatches& matches) {
  return fields({{"plugin", text(matches.plugin)},
                 {"op", text(matches.op)},
                 {"instances", list_of(matches.instances, instance_fields)}});
}

PyRef as_python(const FoundPlugins& found) {
  PyRef counts = PyRef::take(PyDict_New());
  for (const auto& [plugin, count] : found.counts) {
    check(PyDict_SetItem(counts.get(), text(plugin).get(),
                         number(static_cast<int64_t>(count)).get()));
  }
  return fields({{"counts", std::move(counts)},
                 {"text", text(polygraphy::config_text(found.config))},
                 {"matches", list_of(found.config, matches_fields)}});
}

}  // namespace

PyObject* match_plugins(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenPatterns given(args);
    const polygraphy::MatchOptions options{.model = given.model.source(),
                                           .patterns = {.folder = given.keywords.text("folder"),
                                                        .include = given.keywords.texts("include"),
                                                        .exclude = given.keywords.texts("exclude")},
                                           .packages = given.keywords.text("packages")};
    return as_python(in_job([&](Job& job) {
      return polygraphy::match_plugins(options, user_python(given.paths, job), job.log());
    }));
  });
}

PyObject* replace_plugins(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenPatterns given(args);
    const polygraphy::ReplaceOptions options{.model = given.model.source(),
                                             .plugin_folder = given.keywords.text("folder"),
                                             .packages = given.keywords.text("packages")};
    const GivenConfig config(given.keywords.get("config"));
    std::unique_ptr<graphsurgeon::Model> replaced = in_job([&](Job& job) {
      return polygraphy::replace_plugins(
          options, config.config, config.name, [&] { return user_python(given.paths, job); },
          job.log());
    });
    return model_object(std::move(*replaced));
  });
}

}  // namespace native
