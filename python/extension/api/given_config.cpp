#include "api/given_config.h"

#include "api/keywords.h"
#include "api/yaml_values.h"

namespace native {

using polygraphy::PluginMatches;
using polygraphy::ReplacementConfig;

namespace {

ReplacementConfig config_of(PyObject* list) {
  ReplacementConfig config;
  for_each(list, [&](PyObject* item) {
    const Keywords given{item};
    PluginMatches& matches = config.emplace_back();
    matches.plugin = given.text("plugin");
    matches.op = given.text("op");
    const std::string where = "An instance of the plugin " + matches.plugin;
    for_each(given.get("instances"), [&](PyObject* instance) {
      matches.instances.push_back(polygraphy::read_instance(yaml_of(instance), where));
    });
  });
  return config;
}

}  // namespace

GivenConfig::GivenConfig(PyObject* given)
    : name(PyUnicode_Check(given) ? std::string(text_of(given)) : "the configuration"),
      config(PyUnicode_Check(given) ? polygraphy::read_config_file(name) : config_of(given)) {}

}  // namespace native
