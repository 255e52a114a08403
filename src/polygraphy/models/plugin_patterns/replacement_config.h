// The subgraphs that each plugin replaces: the configuration that `plugin match` writes and `plugin
// replace` reads, one YAML document for each plugin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "formats/yaml.h"

namespace polygraphy {

// A file that is not a configuration.
inline constexpr ErrorCode kNotAPluginConfig{"not-a-plugin-config"};

// A subgraph that one node of a plugin replaces.
struct PluginInstance {
  std::vector<std::string> inputs;   // names of tensors, in the order of the node
  std::vector<std::string> outputs;  // names of tensors
  YamlValue::Map attributes = {};
  // As it was written by the pattern or stands in the file, with entries that mean nothing here.
  YamlValue written = {};
};

struct PluginMatches {
  std::string plugin;  // the name that the plugin gives itself
  std::string op;
  std::vector<PluginInstance> instances;
  size_t line = 0;  // of the file
};

using ReplacementConfig = std::vector<PluginMatches>;

// Throws FormatError with file, line and key for a malformed configuration (kNotAPluginConfig), and
// the errors of read_yaml().
ReplacementConfig read_config(std::string_view text, const std::string& name);
// The same of a file. Throws IoError, too.
ReplacementConfig read_config_file(const std::string& path);

// "Instance 0 of the plugin relu (config.yaml, line 4)", for messages.
std::string instance_place(const PluginMatches& matches, size_t instance, const std::string& name);

// As the original writes it; documents without instances are left out.
std::string config_text(const ReplacementConfig& config);

// An instance, checked. `where` begins messages.
PluginInstance read_instance(const YamlValue& value, const std::string& where);

}  // namespace polygraphy
