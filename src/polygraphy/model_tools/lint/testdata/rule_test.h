// Applies one lint rule to a model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {

// The findings of one rule: "node: message".
inline std::vector<std::string> findings(std::string_view rule, const graphsurgeon::Model& model) {
  const std::vector<std::string> names = name_nodes(*model.graph);
  std::vector<Finding> found;
  for (const LintRule* each : lint_rules()) {
    if (each->name == rule) each->check({model, names}, found);
  }
  std::vector<std::string> result;
  for (const Finding& finding : found) result.push_back(finding.node + ": " + finding.message);
  return result;
}

inline std::vector<std::string> findings(std::string_view rule, const char* text) {
  return findings(rule, graphsurgeon::parse_onnx_text(text));
}

}  // namespace polygraphy
