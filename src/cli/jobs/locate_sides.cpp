#include "cli/jobs/locate_sides.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/near_names.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy::cli {
namespace {

// The runners, and results that other runners have returned earlier.
std::vector<LocateSide> sides_of(const ParsedArgs& args, Environment& env,
                                 const std::vector<RunnerSpec>& specs) {
  std::vector<LocateSide> sides(specs.begin(), specs.end());
  for (const std::string& path : args.list("--load-outputs")) {
    const auto results = std::make_shared<const RunResults>(RunResults::load(env.path(path)));
    const bool several = results->runners.size() > 1;
    for (size_t i = 0; i < results->runners.size(); ++i) {
      sides.emplace_back(
          SavedSide{results, i, several ? path + ":" + results->runners[i].first : path});
    }
  }
  return sides;
}

// The place of the side with the correct results: the named one, else saved results, else the
// first.
size_t trusted(const ParsedArgs& args, const std::vector<LocateSide>& both) {
  const auto named = args.text("--trust");
  if (!named)
    return std::holds_alternative<SavedSide>(both[0]) || !std::holds_alternative<SavedSide>(both[1])
               ? 0
               : 1;
  // Of a file, its name without folders is enough.
  const auto begins = [&](size_t i) {
    const std::string name = name_of(both[i]);
    return name.starts_with(*named) || name.substr(name.rfind('/') + 1).starts_with(*named);
  };
  const auto is_it = [&](size_t i) { return name_of(both[i]) == *named; };
  if (is_it(0) != is_it(1)) return is_it(0) ? 0 : 1;
  if (begins(0) != begins(1)) return begins(0) ? 0 : 1;
  const std::string names = name_of(both[0]) + (begins(0) ? " and " : " nor ") + name_of(both[1]);
  std::vector<std::string> labels;
  for (const LocateSide& side : both) {
    const std::string name = name_of(side);
    labels.push_back(name.substr(0, name.find("-runner-")));
  }
  const std::vector<std::string_view> known(labels.begin(), labels.end());
  const std::string meant = did_you_mean(*named, known);
  throw Error(
      fmt::format("--trust {} matches {} {}", *named, begins(0) ? "both" : "neither", names),
      begins(0) || meant.empty() ? "Give a whole name." : meant);
}

}  // namespace

LocateSides resolve_sides(const ParsedArgs& args, Environment& env,
                          const std::vector<RunnerSpec>& specs) {
  const bool two_models = args.has("--float-model");
  std::vector<LocateSide> both = sides_of(args, env, specs);
  const bool one_runner = two_models && both.size() == 1;
  if (one_runner && args.has("--trust")) {
    throw Error("--trust chooses between two runners, but one runs both models",
                "Leave out --trust: --float-model names the correct one.");
  }
  if (one_runner) both.push_back(both.front());
  if (both.size() != 2) {
    throw Error(fmt::format("Two engines are compared, but {} {} selected", both.size(),
                            both.size() == 1 ? "is" : "are"),
                "Select two runners, such as --onnxrt --openvino, or one runner and saved "
                "outputs of another: --load-outputs FILE.");
  }
  const size_t reference = one_runner ? 0 : trusted(args, both);
  if (two_models) {
    name_by_model(both[reference], *args.text("--float-model"));
    name_by_model(both[1 - reference], *args.text("model_file"));
  }
  return {std::move(both[reference]), std::move(both[1 - reference])};
}

}  // namespace polygraphy::cli
