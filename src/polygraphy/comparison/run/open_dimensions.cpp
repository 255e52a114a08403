#include "polygraphy/comparison/run/open_dimensions.h"

#include <string>
#include <typeinfo>

#include "base/text.h"

namespace polygraphy {
namespace {

// "[1,3,1,1]"; empty: no dimension is open, or one of them is not 1.
std::string made_up_shape(const DimList& declared, const Shape& fed) {
  if (is_static(declared) || declared.size() != fed.size()) return {};
  std::vector<std::string> dims;
  for (size_t i = 0; i < fed.size(); ++i) {
    if (!declared[i].is_static() && fed[i] != 1) return {};
    dims.push_back(std::to_string(fed[i]));
  }
  return "[" + join(dims, ",") + "]";
}

// " x:[1,3,1,1] ids:[1]".
std::string made_up_shapes(const Metadata& inputs, const ValueMap& feed) {
  std::string shapes;
  for (const auto& [name, info] : inputs) {
    const Value* value = feed.find(name);
    const Array* array = value ? value->as_tensor() : nullptr;
    if (array == nullptr || !info.shape) continue;
    const std::string shape = made_up_shape(*info.shape, array->shape());
    if (!shape.empty()) shapes += " " + name + ":" + shape;
  }
  return shapes;
}

// The first cache among the inputs of a language model; empty: they have no cache.
std::string cache_among(const Metadata& inputs) {
  std::string cache;
  bool tokens = false;
  for (const auto& [name, info] : inputs) {
    const std::string lower = to_lower(name);
    tokens = tokens || lower.find("input_ids") != std::string::npos;
    if (cache.empty() && lower.find("past") != std::string::npos) cache = name;
  }
  return tokens ? cache : "";
}

}  // namespace

void rethrow_with_open_dimensions(const RunnerFailure& failure, const Metadata& inputs,
                                  const ValueMap& feed) {
  // A crash, a timeout or a lack of memory does not indicate wrong shapes.
  if (typeid(failure) != typeid(RunnerFailure)) throw;
  const std::string shapes = made_up_shapes(inputs, feed);
  if (shapes.empty()) throw;
  const std::string cache = cache_among(inputs);
  const ErrorCode code = failure.code()   ? failure.code()
                         : !cache.empty() ? kGeneratedCache
                                          : kOpenDimensions;
  throw RunnerFailure(code, failure.what(),
                      failure.hint() + (failure.hint().empty() ? "" : "\n") +
                          "The generated inputs have size 1 in dynamic dimensions, but the model "
                          "may need more. Their shapes:" +
                          shapes + "." +
                          (cache.empty() ? ""
                                         : " The model is a decoder with a cache ('" + cache +
                                               "'), which masks and positions have to fit."));
}

IterationResult explaining_open_dimensions(const std::function<IterationResult()>& run,
                                           Runner& runner, const FeedSource& feeds,
                                           const ValueMap& feed) {
  try {
    return run();
  } catch (const RunnerFailure& failure) {
    if (!feeds.generates()) throw;
    rethrow_with_open_dimensions(failure, runner.input_metadata(), feed);
  }
}

}  // namespace polygraphy
