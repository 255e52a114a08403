#include "polygraphy/model_tools/surgeon/verification/verify_inputs.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/glob.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {
namespace {

enum class Sizes { kDefault, kDistinct, kSame };

bool user_decides(const std::string& input, const DataLoaderOptions& options) {
  for (const auto& [pattern, info] : options.shapes) {
    if (info.shape && (pattern == input || Glob(pattern).matches(input))) return true;
  }
  return false;
}

// The same inputs with sizes for unknown dimensions. `free`: set if any dimension was open.
Metadata with_sizes(const Metadata& inputs, const DataLoaderOptions& options, Sizes sizes,
                    bool& free) {
  static constexpr std::array<int64_t, 6> kDistinct = {2, 3, 5, 7, 11, 13};
  std::map<std::string, int64_t> by_name;
  size_t chosen = 0;
  const auto choose = [&](const std::string& name) {
    free = true;
    if (sizes == Sizes::kDefault) return int64_t{1};
    if (sizes == Sizes::kSame) return int64_t{4};
    if (name.empty()) return kDistinct[chosen++ % kDistinct.size()];
    const auto [found, is_new] = by_name.try_emplace(name, 0);
    if (is_new) found->second = kDistinct[chosen++ % kDistinct.size()];
    return found->second;
  };
  Metadata result;
  for (const auto& [name, info] : inputs) {
    TensorInfo sized = info;
    if (sized.shape && !user_decides(name, options)) {
      for (Dim& dim : *sized.shape) {
        if (!dim.is_static()) dim = Dim(choose(dim.param()));
      }
    }
    result.set(name, std::move(sized));
  }
  return result;
}

std::string shapes_text(const ArrayMap& feed) {
  std::string text;
  for (const auto& [name, values] : feed) {
    if (!text.empty()) text += ", ";
    text += name + ' ' + py_tuple_repr(values.shape());
  }
  return text;
}

}  // namespace

std::vector<VerifyInput> generate_verify_inputs(const Metadata& inputs,
                                                const DataLoaderOptions& options,
                                                std::string& problem, Logger& log) {
  DataLoaderOptions signed_options = options;
  signed_options.val_range.set("", {-1, 1});
  const bool has_range =
      !options.val_range.empty() || !options.int_range.empty() || !options.float_range.empty();
  Logger silent;  // the loader's advice is given once, for the default sizes
  std::vector<VerifyInput> result;
  const auto add = [&](const DataLoaderOptions& how, const Metadata& sized, int64_t index) {
    try {
      Logger& advice = result.empty() ? log : silent;
      ValueMap feed = DataLoader(how, advice).generate(index, sized);
      std::string what = fmt::format("{}; seed {}{}", shapes_text(flatten(feed)),
                                     how.seed + static_cast<uint64_t>(index),
                                     &how == &signed_options ? ", range [-1, 1]" : "");
      result.push_back({std::move(what), std::move(feed)});
    } catch (const Error& error) {
      if (problem.empty()) problem = error.what();
    }
  };
  for (const Sizes sizes : {Sizes::kDefault, Sizes::kDistinct, Sizes::kSame}) {
    bool free = false;
    const Metadata sized = with_sizes(inputs, options, sizes, free);
    if (sizes != Sizes::kDefault && !free) break;
    for (int64_t i = 0; i < options.iterations; ++i) add(options, sized, i);
    if (!has_range && !inputs.empty()) add(signed_options, sized, options.iterations);
  }
  return result;
}

}  // namespace polygraphy
