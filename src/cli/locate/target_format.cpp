#include "cli/locate/target_format.h"

#include <optional>
#include <string>
#include <vector>

#include "cli/args/engines.h"

namespace polygraphy::cli {
namespace {

// What the options of a back end say of the format that it computes in. Options of back ends differ
// in their words for it.
std::optional<NumberFormat> format_said(const BackendOptions& options) {
  std::optional<NumberFormat> said;
  const auto take = [&](NumberFormat format) {
    if (!said || significant_digits(format) < significant_digits(*said)) said = format;
  };
  for (const auto& [key, values] : options) {
    if (key == "fp16") take(NumberFormat::kFloat16);
    if (key == "bf16") take(NumberFormat::kBfloat16);
    if (key == "fp8") take(NumberFormat::kFloat8E4M3FN);
    if (key == "int8") take(NumberFormat::kInt8);
    if (key == "tf32") take(NumberFormat::kTf32);
    if (key != "precision" && key != "dtype") continue;
    for (const std::string& value : values) {
      if (value == "f16" || value == "float16" || value == "half") take(NumberFormat::kFloat16);
      if (value == "bf16" || value == "bfloat16") take(NumberFormat::kBfloat16);
    }
  }
  return said;
}

}  // namespace

NumberFormat target_format(const ParsedArgs& args, const Environment& env, size_t index) {
  std::vector<const Occurrence*> runners;
  for (const Occurrence& occurrence : args.occurrences()) {
    if (occurrence.selects_runner()) runners.push_back(&occurrence);
  }
  if (index >= runners.size() || !runners[index]->entry->runner) return NumberFormat::kFloat32;
  const BackendOptions options = resolve_backend_options(args, env, *runners[index]->entry->runner);
  return format_said(options).value_or(NumberFormat::kFloat32);
}

}  // namespace polygraphy::cli
