#include "polygraphy/comparison/benchmark/benchmark_cases.h"

#include <optional>
#include <utility>

namespace polygraphy {
namespace {

// Inputs whose size is fixed keep it: a model of this very batch size needs no change.
void set_batch(DataLoaderOptions& options, const Metadata& inputs, int64_t batch) {
  bool fits = false;
  for (const auto& [name, info] : inputs) {
    if (!info.shape || info.shape->empty()) continue;
    const Dim& first = info.shape->front();
    fits |= !first.is_static() || first.value() == batch;
    if (first.is_static()) continue;
    TensorInfo sized;
    const TensorInfo* given = options.shapes.find(name);
    if (given != nullptr) sized = *given;
    if (!sized.shape || sized.shape->size() != info.shape->size()) sized.shape = info.shape;
    for (Dim& dim : *sized.shape) {
      if (!dim.is_static()) dim = Dim(1);
    }
    sized.shape->front() = Dim(batch);
    options.shapes.set(name, sized);
  }
  if (fits) return;
  throw Error(kBatchFixed,
              "Cannot set a batch size of " + std::to_string(batch) +
                  ": the first dimension of every input is static in the model: " + to_text(inputs),
              "Give whole shapes, or export the model with a dynamic batch dimension.");
}

}  // namespace

std::vector<BenchmarkCase> generated_cases(const DataLoaderOptions& options,
                                           const std::vector<Metadata>& shapes,
                                           const std::vector<int64_t>& batches, Logger& log) {
  std::vector<BenchmarkCase> cases;
  for (const Metadata& set : shapes.empty() ? std::vector<Metadata>{{}} : shapes) {
    DataLoaderOptions sized = options;
    sized.announce_shapes = false;  // each case says them
    for (const auto& [name, info] : set) sized.shapes.set(name, info);
    for (const int64_t batch : batches.empty() ? std::vector<int64_t>{0} : batches) {
      cases.push_back({batch, [sized, batch, &log](const Metadata& inputs) {
                         DataLoaderOptions own = sized;
                         if (batch > 0) set_batch(own, inputs, batch);
                         return DataLoader(own, log).generate(0, inputs);
                       }});
    }
  }
  return cases;
}

BenchmarkCase first_feed_case(std::shared_ptr<FeedSource> feeds) {
  const auto first = std::make_shared<std::optional<ValueMap>>();
  return {0, [feeds = std::move(feeds), first](const Metadata& inputs) {
            if (!*first) *first = feeds->next(inputs);
            if (!*first) {
              throw Error(kNoFirstFeed, "No inputs to measure",
                          "A benchmark runs the first set of inputs of files or a script.");
            }
            return **first;
          }};
}

}  // namespace polygraphy
