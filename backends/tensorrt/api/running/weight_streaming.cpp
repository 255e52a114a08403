#include "tensorrt/api/running/weight_streaming.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "tensorrt/api/option_text.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

constexpr const char* kForms =
    "Give a number of bytes (also with K, M or G), a percentage (30%), -1 or -2.";

// 1024 for "K" and so on; 1 for other texts.
double unit_of(std::string_view rest) {
  if (rest == "K" || rest == "k") return double{1 << 10};
  if (rest == "M" || rest == "m") return double{1 << 20};
  return rest == "G" || rest == "g" ? double{1 << 30} : 1;
}

}  // namespace

WeightBudget weight_budget(const std::string& text) {
  const bool share = text.ends_with('%');
  char* end = nullptr;
  double number = std::strtod(text.c_str(), &end);
  const double unit = unit_of(end);
  if (unit > 1 && number > 0) {
    number *= unit;
    end = nullptr;
  }
  const bool whole = share || number == std::floor(number);
  if (!std::isfinite(number) || !whole || number > 1e18 || end == text.c_str() ||
      (end != nullptr && std::string_view(end) != (share ? "%" : "")) ||
      number < (share ? 0 : -2) || (share && number > 100)) {
    throw pgb::bad_option("--weight-streaming-budget cannot be " + text, kForms);
  }
  return {number, share};
}

void set_weight_streaming(nv::ICudaEngine& engine, const Library& library, Logger& logger,
                          const pgb::Options& options) {
  const auto given = options.value("weight_streaming_budget");
  if (!given) return;
  require_version(100100, "--weight-streaming-budget", library);
  const auto [number, share] = weight_budget(*given);
  const int64_t all = engine.getStreamableWeightsSize();
  int64_t budget = static_cast<int64_t>(number);
  if (share) {
    budget = static_cast<int64_t>(number / 100 * static_cast<double>(all));
  } else if (number == -1) {
    budget = engine.getWeightStreamingAutomaticBudget();
  } else if (number == -2) {
    budget = all;
  }
  if (budget > all) {
    throw pgb::bad_option("--weight-streaming-budget is " + std::to_string(budget) +
                              " bytes, but the streamable weights have only " + std::to_string(all),
                          kForms);
  }
  if (!engine.setWeightStreamingBudgetV2(budget))
    throw logger.failure("--weight-streaming-budget " + *given + " is invalid");
  logger.host().log(pgb::kInfo, kRunnerModule,
                    budget == all ? "Weight streaming is disabled."
                                  : "Weight streaming is enabled with a memory budget of " +
                                        std::to_string(budget) + " bytes.");
}

}  // namespace tensorrt::TENSORRT_FAMILY
