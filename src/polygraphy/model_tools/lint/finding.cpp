#include "polygraphy/model_tools/lint/finding.h"

#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {

std::string_view Finding::own_rule() const {
  for (const LintRule* each : lint_rules()) {
    if (each->name == rule) return each->original ? std::string_view() : rule;
  }
  return {};
}

std::string_view name_of(LintLevel level) {
  constexpr std::string_view kNames[] = {"exception", "warning", "info"};
  return kNames[static_cast<size_t>(level)];
}

std::string_view name_of(LintSource source) {
  constexpr std::string_view kNames[] = {"onnxruntime", "onnx_checker", "onnx_loader",
                                         "onnx_graphsurgeon"};
  return kNames[static_cast<size_t>(source)];
}

}  // namespace polygraphy
