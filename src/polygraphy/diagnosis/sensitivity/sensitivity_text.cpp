#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "base/text_table.h"

namespace polygraphy {
namespace {

std::string number(double value) {
  if (std::isnan(value)) return "?";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value == 0 ? "0" : fmt::format("{:.2g}", value);
}

std::string decibels(double value) {
  return std::isfinite(value) ? fmt::format("{:.1f}", value) : number(value);
}

std::string bytes(int64_t count) {
  const double size = static_cast<double>(count);
  if (std::abs(size) < 1024) return fmt::format("{} B", count);
  if (std::abs(size) < 1024.0 * 1024) return fmt::format("{:.1f} KiB", size / 1024);
  return fmt::format("{:.1f} MiB", size / (1024.0 * 1024));
}

std::string percent(double share) {
  return std::isnan(share) ? "?" : fmt::format("{:.4g} %", 100 * share);
}

// "0.1 (KL 0.02, 98 % the same token)".
std::string off_by(const OutputEffect& effect) {
  if (!effect.tokens) return number(effect.error);
  return fmt::format("{} (KL {}, {} the same top-1)", number(effect.error),
                     number(effect.tokens->divergence), percent(effect.tokens->same_top));
}

std::string layers(size_t count) {
  return fmt::format("{} layer{}", count, count == 1 ? "" : "s");
}

}  // namespace

bool has_tokens(const SensitivityResult& result) {
  return result.all_quantized.tokens.has_value();
}

std::string layer_name(const LayerSensitivity& layer, const SensitivityResult& result) {
  const auto of_these_nodes = std::ranges::count_if(
      result.layers, [&](const LayerSensitivity& other) { return other.nodes == layer.nodes; });
  const std::string nodes = join(layer.nodes, ", ");
  return of_these_nodes > 1 ? fmt::format("{} ({})", nodes, layer.weight) : nodes;
}

std::string sensitivity_table(const SensitivityResult& result) {
  const bool tokens = has_tokens(result);
  std::vector<std::vector<std::string>> lines = {{"Layer", "Operator", "Stays", "Effect"}};
  if (tokens) lines[0].insert(lines[0].end(), {"KL", "Top-1"});
  lines[0].insert(lines[0].end(), {"SQNR", "Saved", "Outlier", "Channel", "Kurtosis"});
  for (const LayerSensitivity& layer : result.layers) {
    std::vector<std::string>& line = lines.emplace_back(
        std::vector{layer_name(layer, result), layer.op, std::string(layer.kept ? "float" : ""),
                    number(layer.effect)});
    if (tokens) {
      const TokenEffect effect = layer.tokens.value_or(TokenEffect());
      line.insert(line.end(), {number(effect.divergence), percent(effect.same_top)});
    }
    line.insert(line.end(),
                {decibels(layer.sqnr), bytes(layer.saved()), number(layer.channels.outlier),
                 std::to_string(layer.channels.worst), number(layer.channels.kurtosis)});
  }
  return join(table_lines(lines, 3), "\n");
}

std::string sensitivity_summary(const SensitivityResult& result) {
  size_t kept = 0;
  for (const LayerSensitivity& layer : result.layers) kept += layer.kept ? 1 : 0;
  std::string text = fmt::format(
      "{} {}{}: output '{}' is off by {}. ",
      result.layers.size() == 1 ? "The only layer" : "All " + layers(result.layers.size()),
      result.format == kAsQuantized ? "" : "in ", result.format, result.all_quantized.output,
      off_by(result.all_quantized));
  const bool passed = result.verdict().passed();
  if (kept > 0) {
    text += fmt::format("{} in floating point ({})", layers(kept), bytes(result.kept_bytes()));
  } else {
    text += passed ? "No layer has to stay in floating point" : "No layer in floating point";
  }
  text += fmt::format(": off by {}", off_by(result.effect()));
  if (result.limit) {
    text += fmt::format(", {} the limit of {:g}", passed ? "within" : "beyond", *result.limit);
  }
  if (result.proved) text += ", as the mixed model runs";
  text += fmt::format("; {} saved", bytes(result.saved_bytes()));
  if (!result.limit) text += ". " + headline(result.verdict());
  if (result.all_float) {
    text += fmt::format(
        ". With all these layers in floating point, the quantised model is still off by {}: this "
        "error is not in their weights",
        off_by(*result.all_float));
  }
  if (kept > 0 && result.cheapest)
    text += result.limit ? ". No cheaper set is within the limit" : ". No cheaper set passes";
  if (kept > 0 && !result.cheapest) {
    text += fmt::format(". Not all cheaper sets were tried: the search ended after {} set{}",
                        result.tried, result.tried == 1 ? "" : "s");
  }
  return text + fmt::format(". {} sessions, {} runs of sets, {} sample{}", result.sessions,
                            result.runs, result.samples, result.samples == 1 ? "" : "s");
}

}  // namespace polygraphy
