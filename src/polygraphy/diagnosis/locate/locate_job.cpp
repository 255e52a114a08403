#include "polygraphy/diagnosis/locate/locate_job.h"

namespace polygraphy {

std::string name_of(const LocateSide& side) {
  if (const auto* spec = std::get_if<RunnerSpec>(&side)) return spec->name;
  const auto& saved = std::get<SavedSide>(side);
  return saved.name.empty() ? saved.results->runners[saved.runner].first : saved.name;
}

void name_by_model(LocateSide& side, const std::string& model) {
  if (auto* spec = std::get_if<RunnerSpec>(&side)) spec->name = model + " on " + spec->label();
}

}  // namespace polygraphy
