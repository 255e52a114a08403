#include "polygraphy/models/plugin_patterns/replacement_config.h"

#include "base/os/mapped_file.h"
#include "formats/yaml_reader.h"
#include "formats/yaml_writer.h"

namespace polygraphy {
namespace {

std::string place(const std::string& name, const YamlValue& value) {
  return value.line == 0 ? name : name + ", line " + std::to_string(value.line);
}

[[noreturn]] void refuse(const std::string& where, const std::string& reason) {
  throw FormatError(kNotAPluginConfig, where + ": " + reason,
                    "A configuration has one document per plugin, with the keys name, op and "
                    "instances; each instance has inputs, outputs and attributes.");
}

std::string seen(const YamlValue* value, const std::string& key, const std::string& wanted) {
  if (!value) return "the key '" + key + "' is missing, but " + wanted + " is needed";
  return "the key '" + key + "' has " + std::string(value->kind()) + ", but " + wanted +
         " is needed";
}

std::string text_of(const YamlValue& document, const std::string& key, const std::string& where) {
  const YamlValue* value = document.find(key);
  if (!value || !value->text() || value->text()->empty()) {
    refuse(where, value && value->text() ? "the key '" + key + "' has an empty text"
                                         : seen(value, key, "a text"));
  }
  return *value->text();
}

std::vector<std::string> names_of(const YamlValue& instance, const std::string& key,
                                  const std::string& where) {
  const YamlValue* value = instance.find(key);
  if (!value || !value->list()) refuse(where, seen(value, key, "a list of names of tensors"));
  std::vector<std::string> names;
  for (const YamlValue& name : *value->list()) {
    if (!name.text() || name.text()->empty()) {
      refuse(where, "the list '" + key + "' holds " +
                        (name.text() ? "an empty text" : std::string(name.kind())) +
                        ", but the name of a tensor is needed");
    }
    names.push_back(*name.text());
  }
  return names;
}

}  // namespace

PluginInstance read_instance(const YamlValue& value, const std::string& where) {
  if (!value.map()) refuse(where, "an instance is " + std::string(value.kind()) + ", not a map");
  PluginInstance instance;
  instance.inputs = names_of(value, "inputs", where);
  instance.outputs = names_of(value, "outputs", where);
  if (const YamlValue* attributes = value.find("attributes");
      attributes && !attributes->is_null()) {
    if (!attributes->map()) refuse(where, seen(attributes, "attributes", "a map"));
    instance.attributes = *attributes->map();
  }
  instance.written = value;
  return instance;
}

ReplacementConfig read_config(std::string_view text, const std::string& name) {
  ReplacementConfig config;
  for (const YamlValue& document : read_yaml(text, name)) {
    if (document.is_null()) continue;  // "---" without anything behind it
    const std::string where = place(name, document);
    if (!document.map())
      refuse(where, "a document is " + std::string(document.kind()) + ", not a map");
    PluginMatches& matches = config.emplace_back();
    matches.line = document.line;
    matches.plugin = text_of(document, "name", where);
    matches.op = text_of(document, "op", where);
    const YamlValue* instances = document.find("instances");
    if (!instances || !instances->list()) {
      refuse(instances ? place(name, *instances) : where, seen(instances, "instances", "a list"));
    }
    for (const YamlValue& instance : *instances->list()) {
      matches.instances.push_back(read_instance(instance, place(name, instance)));
    }
  }
  return config;
}

ReplacementConfig read_config_file(const std::string& path) {
  const auto file = MappedFile::open(path, AccessPattern::kSequential);
  const auto bytes = file->bytes();
  return read_config({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
}

std::string instance_place(const PluginMatches& matches, size_t instance, const std::string& name) {
  const size_t line = matches.instances[instance].written.line;
  return "Instance " + std::to_string(instance) + " of the plugin " + matches.plugin + " (" + name +
         (line ? ", line " + std::to_string(line) : std::string()) + ")";
}

std::string config_text(const ReplacementConfig& config) {
  std::vector<YamlValue> documents;
  for (const PluginMatches& matches : config) {
    if (matches.instances.empty()) continue;
    YamlValue::List instances;
    for (const PluginInstance& instance : matches.instances) instances.push_back(instance.written);
    YamlValue& document = documents.emplace_back();
    document.data = YamlValue::Map{{"name", YamlValue(matches.plugin)},
                                   {"op", YamlValue(matches.op)},
                                   {"instances", YamlValue(std::move(instances))}};
  }
  return yaml_text(documents);
}

}  // namespace polygraphy
