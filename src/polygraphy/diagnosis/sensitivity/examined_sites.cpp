#include "polygraphy/diagnosis/sensitivity/examined_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/arrays/convert.h"
#include "polygraphy/data/inputs/adapt_feed.h"

namespace polygraphy {
namespace {

// The value of a sorted list at this part of it, between neighbours in a straight line.
double quantile(const std::vector<float>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const double rest = at - static_cast<double>(below);
  const double low = sorted[below];
  return rest > 0 ? low + rest * (sorted[below + 1] - low) : low;
}

// The worst channel is that with the largest magnitude; those of experts are counted one expert
// after the other. O(elements x log elements of a channel).
ChannelStatistics channel_statistics(const Site& site) {
  const Array floats = convert(site.original, DataType::kFloat32).contiguous_aligned();
  const std::span<const float> values = floats.as<float>();
  const auto axis = static_cast<size_t>(site.channel_axis);
  size_t inner = 1;
  for (size_t i = axis + 1; i < site.shape.size(); ++i) inner *= static_cast<size_t>(site.shape[i]);
  auto channels = static_cast<size_t>(site.shape[axis]);
  if (site.part > 0) channels *= static_cast<size_t>(site.shape[0]);
  std::vector<float> magnitudes(channels);
  for (size_t i = 0, channel = 0; i < values.size(); i += inner, ++channel) {
    if (channel == channels) channel = 0;
    float largest = magnitudes[channel];
    for (size_t k = 0; k < inner; ++k) largest = std::max(largest, std::fabs(values[i + k]));
    magnitudes[channel] = largest;
  }
  const auto top = std::max_element(magnitudes.begin(), magnitudes.end());
  ChannelStatistics result{.channels = static_cast<int64_t>(channels),
                           .worst = top - magnitudes.begin()};
  const float largest = *top;
  std::vector<float> one;
  for (size_t i = static_cast<size_t>(result.worst) * inner; i < values.size();
       i += channels * inner) {
    for (size_t k = 0; k < inner; ++k) {
      if (std::isfinite(values[i + k])) one.push_back(values[i + k]);
    }
  }
  std::sort(magnitudes.begin(), magnitudes.end());
  const double usual = quantile(magnitudes, 0.5);
  result.outlier = usual > 0 ? largest / usual : 1;
  if (one.empty()) return result;
  std::sort(one.begin(), one.end());
  double sum = 0, second = 0, fourth = 0;
  for (const float value : one) sum += value;
  const auto count = static_cast<double>(one.size());
  for (const float value : one) {
    const double square = (value - sum / count) * (value - sum / count);
    second += square;
    fourth += square * square;
  }
  result.std = std::sqrt(second / count);
  result.kurtosis = second > 0 ? fourth * count / (second * second) : 0;
  result.smallest = one.front();
  result.lower = quantile(one, 0.01);
  result.median = quantile(one, 0.5);
  result.upper = quantile(one, 0.99);
  result.largest = one.back();
  return result;
}

}  // namespace

std::vector<Site> examined_sites(const graphsurgeon::Model& model, bool embeddings,
                                 std::vector<std::string>& notes) {
  std::vector<Site> sites = find_sites(model, embeddings);
  const int64_t in_bodies = nodes_in_bodies(model, embeddings);
  const bool one = in_bodies == 1;
  if (in_bodies > 0) {
    notes.push_back(
        fmt::format("{} layer{} in bodies of If, Loop or Scan stay{} as {}: not examined",
                    in_bodies, one ? "" : "s", one ? "s" : "", one ? "it is" : "they are"));
  }
  if (sites.empty()) {
    throw Error(kNothingToQuantize,
                in_bodies > 0 ? "The model has layers in bodies of If, Loop or Scan only"
                              : "The model has no layer to quantise",
                "A layer is a MatMul, Gemm, Conv, ConvTranspose, DeformConv or MoE node of the "
                "main graph with a constant weight in floating point.");
  }
  return sites;
}

std::vector<ValueMap> samples_of(const SensitivityJob& job, const Metadata& inputs, Logger& log) {
  const auto source = job.make_feeds ? job.make_feeds() : generated_feeds({}, log);
  std::vector<ValueMap> samples;
  while (const auto feed = source->next(inputs)) {
    job.cancel.check();
    samples.push_back(adapt_feed(*feed, inputs, log));
  }
  if (samples.empty()) throw Error(kNothingToQuantize, "There is no input to run the model on");
  return samples;
}

LayerSensitivity layer_of(const Site& site) {
  LayerSensitivity layer{.op = site.op,
                         .weight = site.weight,
                         .shape = site.shape,
                         .float_bytes = site.original.nbytes(),
                         .quantized_bytes = site.quantized_bytes,
                         .shared = site.shared,
                         .channels = channel_statistics(site)};
  for (const SiteNode& node : site.nodes) layer.nodes.push_back(node.name);
  return layer;
}

bool rounds_inputs(const std::vector<Site>& sites, std::vector<std::string>& notes) {
  const bool all =
      std::ranges::all_of(sites, [](const Site& site) { return site.dtype == DataType::kFloat32; });
  if (!all) {
    notes.emplace_back(
        "Inputs of layers are not quantised, because the model is not in float32: weights only");
  }
  return all;
}

}  // namespace polygraphy
