// A finding of `check lint`: an entry of its report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polygraphy {

enum class LintLevel : uint8_t { kException, kWarning, kInfo };

enum class LintSource : uint8_t { kOnnxruntime, kOnnxChecker, kOnnxLoader, kOnnxGraphsurgeon };

struct Finding {
  LintLevel level = LintLevel::kWarning;
  LintSource source = LintSource::kOnnxGraphsurgeon;
  std::string message;
  std::string node = {};       // empty: about the whole model
  std::string op = {};         // operator of the node, if the console prints it
  std::string_view rule = {};  // the name of its LintRule
};

// The names in reports: "exception", "onnx_checker".
std::string_view level_name(LintLevel level);
std::string_view source_name(LintSource source);

}  // namespace polygraphy
