#include "polygraphy/comparison/verdict/text_figures.h"

#include <fmt/format.h>

namespace polygraphy {
namespace {

std::string text_of(const Estimate& estimate) {
  return fmt::format("{:.6g} +/- {:.2g}", estimate.value, estimate.error);
}

}  // namespace

std::vector<std::string> lines_of(const TextFigures& figures) {
  std::vector<std::string> lines;
  const std::string tokens = fmt::format("{} tokens in {} window{}", figures.tokens,
                                         figures.windows, figures.windows == 1 ? "" : "s");
  for (const TextRunner& runner : figures.runners) {
    lines.push_back(
        fmt::format("Perplexity of {}: {} ({})", runner.name, text_of(runner.perplexity), tokens));
  }
  for (const TextPair& pair : figures.pairs) {
    lines.push_back(
        fmt::format("{} against {}: divergence {} nats | same top-1 {} | ratio of perplexities {}",
                    pair.target, pair.reference, text_of(pair.divergence), text_of(pair.same_top1),
                    text_of(pair.perplexity_ratio)));
  }
  return lines;
}

}  // namespace polygraphy
