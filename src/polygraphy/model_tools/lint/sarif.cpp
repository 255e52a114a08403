#include "polygraphy/model_tools/lint/sarif.h"

#include "base/version.h"
#include "formats/record_json.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

std::string_view sarif_level(LintLevel level) {
  switch (level) {
    case LintLevel::kException:
      return "error";
    case LintLevel::kWarning:
      return "warning";
    case LintLevel::kInfo:
      break;
  }
  return "note";
}

// A path as a relative or file: reference, where some characters must be escaped.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const auto byte = static_cast<unsigned char>(c);
    if (letter || kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return uri;
}

void text(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.begin_object();
  write_member(json, "text", value);
  json.end_object();
}

void write_tool(JsonWriter& json) {
  json.key("tool");
  json.begin_object();
  json.key("driver");
  json.begin_object();
  write_member(json, "name", "polygraphy check lint");
  write_member(json, "version", kVersion);
  json.key("rules");
  json.begin_array();
  for (const LintRule* rule : ordered_lint_rules()) {
    json.begin_object();
    write_member(json, "id", rule->name);
    text(json, "shortDescription", rule->summary);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  json.end_object();
}

void write_result(JsonWriter& json, const Finding& finding, const std::string& uri) {
  json.begin_object();
  write_member(json, "ruleId", finding.rule);
  write_member(json, "level", sarif_level(finding.level));
  const std::string op = finding.op.empty() ? "" : " (" + finding.op + ")";
  text(json, "message",
       finding.node.empty() ? finding.message
                            : "Node " + finding.node + op + ": " + finding.message);
  json.key("locations");
  json.begin_array();
  json.begin_object();
  json.key("physicalLocation");
  json.begin_object();
  json.key("artifactLocation");
  json.begin_object();
  write_member(json, "uri", uri);
  json.end_object();
  json.end_object();
  if (!finding.node.empty()) {
    json.key("logicalLocations");
    json.begin_array();
    json.begin_object();
    write_member(json, "name", finding.node);
    write_member(json, "kind", "object");
    json.end_object();
    json.end_array();
  }
  json.end_object();
  json.end_array();
  json.end_object();
}

}  // namespace

std::string to_sarif(const LintReport& report, std::string_view model) {
  const std::string uri = uri_of(model);
  StringSink sink;
  JsonWriter json(sink);
  json.begin_object();
  write_member(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  write_member(json, "version", "2.1.0");
  json.key("runs");
  json.begin_array();
  json.begin_object();
  write_tool(json);
  json.key("results");
  json.begin_array();
  for (const Finding& finding : report.findings()) write_result(json, finding, uri);
  json.end_array();
  json.end_object();
  json.end_array();
  json.end_object();
  return sink.text();
}

}  // namespace polygraphy
