#include "polygraphy/model_tools/lint/finding.h"

namespace polygraphy {

std::string_view level_name(LintLevel level) {
  switch (level) {
    case LintLevel::kException:
      return "exception";
    case LintLevel::kWarning:
      return "warning";
    case LintLevel::kInfo:
      break;
  }
  return "info";
}

std::string_view source_name(LintSource source) {
  switch (source) {
    case LintSource::kOnnxruntime:
      return "onnxruntime";
    case LintSource::kOnnxChecker:
      return "onnx_checker";
    case LintSource::kOnnxLoader:
      return "onnx_loader";
    case LintSource::kOnnxGraphsurgeon:
      break;
  }
  return "onnx_graphsurgeon";
}

}  // namespace polygraphy
