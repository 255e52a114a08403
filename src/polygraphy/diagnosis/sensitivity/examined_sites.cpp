#include "polygraphy/diagnosis/sensitivity/examined_sites.h"

#include <fmt/format.h>

#include <algorithm>

#include "polygraphy/diagnosis/sensitivity/channel_statistics.h"

namespace polygraphy {

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

LayerSensitivity layer_of(const Site& site, const Array& weight) {
  LayerSensitivity layer{.op = site.op,
                         .weight = site.weight,
                         .shape = site.shape,
                         .float_bytes = weight.nbytes(),
                         .shared = site.shared,
                         .channels = channel_statistics(weight, site)};
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
