// A finding of `check lint`: an entry of its report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"

namespace polygraphy {

enum class LintLevel : uint8_t { kException, kWarning, kInfo };
// "exception", "warning", "info".
std::string_view name_of(LintLevel level);
constexpr auto all_of(RecordOf<LintLevel>) {
  return values_up_to<LintLevel::kInfo>();
}

enum class LintSource : uint8_t { kOnnxruntime, kOnnxChecker, kOnnxLoader, kOnnxGraphsurgeon };
// "onnxruntime", "onnx_checker", "onnx_loader", "onnx_graphsurgeon".
std::string_view name_of(LintSource source);
constexpr auto all_of(RecordOf<LintSource>) {
  return values_up_to<LintSource::kOnnxGraphsurgeon>();
}

struct Finding {
  LintLevel level = LintLevel::kWarning;
  LintSource source = LintSource::kOnnxGraphsurgeon;
  std::string message;
  std::string node = {};       // empty: about the whole model
  std::string op = {};         // operator of the node, if the console prints it
  std::string_view rule = {};  // the name of its LintRule

  std::string_view own_rule() const;  // empty: the original has the rule, too
};
constexpr auto record_of(RecordOf<Finding>) {
  using Of = Finding;
  return record<Of>(
      "LintEntry", "A finding.",
      member("level", &Of::level, "Only an exception makes a model invalid."),
      member("source", &Of::source, "Its origin."), member("message", &Of::message, "The text."),
      derived(
          "nodes", [](const Of& of) { return std::vector(!of.node.empty(), of.node); },
          "The node; missing: the finding is about the whole model.")
          .if_set(),
      derived("rule", &Of::own_rule, "Missing: Polygraphy has the rule, too.").if_set());
}

}  // namespace polygraphy
