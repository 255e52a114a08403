#include "polygraphy/diagnosis/locate/models/coarser_results.h"

#include "polygraphy/diagnosis/locate/pair_format.h"
#include "polygraphy/models/noise/result_formats.h"

namespace polygraphy {

std::optional<NumberFormat> coarser_results(
    const graphsurgeon::Model& reference, const graphsurgeon::Model& model,
    const std::unordered_map<std::string, std::string>& partners) {
  const auto there = result_formats(reference), here = result_formats(model);
  std::optional<NumberFormat> coarsest;
  for (const auto& [tensor, partner] : partners) {
    const auto one = there.find(partner), other = here.find(tensor);
    if (one == there.end() || other == here.end()) continue;
    if (significant_digits(one->second) < significant_digits(other->second))
      coarsest = pair_format(coarsest, one->second);
  }
  return coarsest;
}

}  // namespace polygraphy
