#include "polygraphy/model_tools/surgeon/weight_reconstruct.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/arrays/convert.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/payloads/computed_payload.h"
#include "graphsurgeon/ir/payloads/encoded_payload.h"
#include "graphsurgeon/passes/prune.h"
#include "graphsurgeon/passes/weight_strip.h"
#include "numerics/numpy_random.h"

namespace polygraphy {

namespace {

using graphsurgeon::ComputedPayload;
using graphsurgeon::Payload;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

constexpr size_t kNumbersAtOnce = 32 * 1024;

// One generator for all weights, in their order. It continues from its state, so that taking them
// in order costs nothing; for another order it returns to one of its saved states.
class NormalNumbers {
 public:
  explicit NormalNumbers(uint32_t seed) : current_{0, NumpyRandom(seed)} {
    kept_.push_back(current_);
  }

  void add(int64_t count) { counts_.push_back(count); }

  // Calls `take` with the numbers of weight `index`, in pieces of kNumbersAtOnce (the last one may
  // be shorter).
  template <typename Take>
  void produce(size_t index, Take take) {
    go_to(index);
    generate(counts_[index], take);
    arrive(index + 1);
  }

 private:
  struct State {
    size_t index;  // of the weight with the next numbers
    NumpyRandom random;
  };

  void go_to(size_t index) {
    auto nearest = std::upper_bound(kept_.begin(), kept_.end(), index,
                                    [](size_t i, const State& state) { return i < state.index; });
    --nearest;  // the first one is of weight 0
    if (index < current_.index || nearest->index > current_.index) {
      current_ = *nearest;
      since_kept_ = 0;
    }
    while (current_.index < index) {
      generate(counts_[current_.index], [](std::span<const double>) {});
      arrive(current_.index + 1);
    }
  }

  template <typename Take>
  void generate(int64_t count, Take take) {
    numbers_.resize(kNumbersAtOnce);
    for (int64_t left = count; left > 0;) {
      const auto now = std::min(static_cast<size_t>(left), kNumbersAtOnce);
      current_.random.fill_normal(std::span(numbers_).first(now));
      take(std::span<const double>(numbers_).first(now));
      left -= static_cast<int64_t>(now);
    }
    since_kept_ += count;
  }

  void arrive(size_t index) {
    current_.index = index;
    if (since_kept_ < kKeepEvery || index <= kept_.back().index) return;
    kept_.push_back(current_);
    since_kept_ = 0;
  }

  static constexpr int64_t kKeepEvery = 1 << 20;  // numbers: tens of milliseconds
  std::vector<int64_t> counts_;
  State current_;
  int64_t since_kept_ = 0;
  std::vector<State> kept_;  // ascending
  std::vector<double> numbers_;
};

class NormalPayload final : public ComputedPayload {
 public:
  NormalPayload(const Payload& like, std::shared_ptr<NormalNumbers> numbers, size_t index)
      : ComputedPayload(like.dtype(), like.shape()), numbers_(std::move(numbers)), index_(index) {}

  void produce(std::string_view, const Take& take) const override {
    numbers_->produce(index_, [&](std::span<const double> piece) {
      const Array numbers =
          Array::view(DataType::kFloat64, {std::ssize(piece)}, piece.data(), nullptr);
      take(convert(numbers, dtype()).bytes());
    });
  }

 private:
  std::shared_ptr<NormalNumbers> numbers_;
  size_t index_;
};

bool is_marked(const Tensor& tensor) {
  return tensor.is_constant() &&
         tensor.doc_string().find(graphsurgeon::kWeightlessMarker) != std::string_view::npos;
}

bool is_marked_sparse(const Tensor& tensor) {
  const std::string_view doc = tensor.doc_string();
  return doc.find(graphsurgeon::kSparseMarker) != std::string_view::npos;
}

// The original leaves typed fields where they were when it strips: only raw data counts.
void check_is_empty(const Tensor& tensor) {
  const Payload& values = *tensor.payload();
  const bool empty = values.kind() == Payload::Kind::kInline &&
                     static_cast<const graphsurgeon::EncodedPayload&>(values).raw_data().empty();
  if (!empty && values.size() != 0) {
    throw Error(
        fmt::format("initializer '{}' is marked as stripped ({}), but holds values", tensor.name(),
                    tensor.doc_string()),
        "Remove the mark from its doc string to keep the values, or strip the model again.");
  }
  if (bit_width(values.dtype()) == 0) {
    throw Error(fmt::format(
        "initializer '{}' is marked as stripped, but values of its type ({}) cannot be generated",
        tensor.name(), name_of(values.dtype())));
  }
}

}  // namespace

size_t reconstruct_weights(graphsurgeon::Model& model, uint32_t seed, Logger& logger) {
  logger.start(log_modules::kWeightReconstruct, "Beginning weight reconstruction...");
  std::unordered_set<std::string_view> not_sparse;
  const auto numbers = std::make_shared<NormalNumbers>(seed);
  size_t count = 0;
  for (const TensorRef& weight : model.graph->initializers()) {
    if (!is_marked(*weight)) {
      not_sparse.insert(weight->name());
      continue;
    }
    if (!is_marked_sparse(*weight)) not_sparse.insert(weight->name());
    check_is_empty(*weight);
    logger.verbose(log_modules::kWeightReconstruct,
                   fmt::format("Reconstructing weights for the {} initializer", weight->name()));
    numbers->add(weight->payload()->size());
    weight->replace_values(std::make_shared<NormalPayload>(*weight->payload(), numbers, count));
    ++count;
  }
  logger.info(log_modules::kWeightReconstruct, "Calling Sparsity Pruner to prune selected weights");
  graphsurgeon::prune(model, logger, not_sparse);
  logger.finish(log_modules::kWeightReconstruct,
                fmt::format("Finished reconstructing {} weights", count));
  return count;
}

graphsurgeon::Model weight_reconstruct(const WeightReconstructOptions& options, Logger& log) {
  const auto model = load_original(options.files.model, log);
  reconstruct_weights(*model, options.seed, log);
  save_result(*model, options.files, log);
  return std::move(*model);
}

}  // namespace polygraphy
