#include "graphsurgeon/passes/sparsity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/log_modules.h"
#include "graphsurgeon/io/mapped_reader.h"
#include "graphsurgeon/io/payload_bytes.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "graphsurgeon/passes/groups_of_four.h"

namespace graphsurgeon {

namespace {

using polygraphy::Logger;
using polygraphy::Severity;

constexpr std::string_view kConverts[] = {"QuantizeLinear", "DequantizeLinear",
                                          "TRT_FP8QuantizeLinear", "TRT_FP8DequantizeLinear",
                                          "Cast"};
// The tensors behind these are not used as weights unchanged: they are not examined.
constexpr std::string_view kEnds[] = {"LayerNormalization", "Reshape", "Concat", "Slice", "Shape",
                                      "Unsqueeze",          "Gather",  "Mul",    "Add"};

template <size_t n>
bool is_one_of(const std::string_view (&names)[n], std::string_view name) {
  return std::find(names, names + n, name) != names + n;
}

class CandidateWalk {
 public:
  CandidateWalk(const Graph& graph, Logger& logger)
      : logger_(logger), longest_way_(graph.nodes().size()) {
    for (const TensorRef& tensor : graph.initializers()) initializers_.insert(tensor.get());
  }

  void visit(const Node& node) {
    const OperatorFacts& facts = facts_of(node);
    if (facts.layout == WeightLayout::kMatrix && !facts.computes_with_codes()) {
      for (const size_t slot : {size_t{0}, size_t{1}})
        look_back(node, slot, static_cast<size_t>(2 + summed_axis(node, slot)));
    } else if (node.op() == "Conv") {
      look_back(node, 1, 1);
    }
  }

  std::vector<SparsityCandidate> take() { return std::move(found_); }

 private:
  // From an operand against the edges to the weight that it is made of, if it is.
  void look_back(const Node& node, size_t operand, size_t axis) {
    if (operand >= node.inputs().size()) return;
    Tensor* tensor = node.inputs()[operand];
    // A way longer than there are nodes runs in a circle.
    for (size_t step = 0; step <= longest_way_ && tensor; ++step) {
      if (is_weight(*tensor)) return record(tensor, axis);
      const Node* producer = tensor->producer();
      if (!producer) return;
      if (producer->op() == "Transpose") {
        const auto before = axis_before(*producer, axis);
        if (!before) return;
        axis = *before;
      } else if (!is_one_of(kConverts, producer->op())) {
        if (is_one_of(kEnds, producer->op())) return;
        return logger_.warning(polygraphy::log_modules::kSparsity,
                               fmt::format("({}) produced by {} type: {} is unsupported!",
                                           tensor->name(), producer->name(), producer->op()));
      }
      tensor = producer->inputs().empty() ? nullptr : producer->inputs()[0];
    }
  }

  // Sparse tensors and outer tensors are not weights to the original; there is nothing to prune in
  // the former.
  bool is_weight(const Tensor& tensor) const {
    return tensor.is_constant() && tensor.payload()->kind() != Payload::Kind::kSparse &&
           initializers_.contains(&tensor);
  }

  // The place of `axis` in perm, as in the original. (Where an element comes from is perm[axis]:
  // the same for matrices.)
  std::optional<size_t> axis_before(const Node& transpose, size_t axis) {
    const Attribute* attribute = transpose.attribute("perm");
    const auto* perm = attribute ? std::get_if<std::vector<int64_t>>(&attribute->value) : nullptr;
    if (!perm) {
      logger_.warning(polygraphy::log_modules::kSparsity,
                      "Transpose doesn't have <perm> attribute!");
      return std::nullopt;
    }
    const auto at = std::find(perm->begin(), perm->end(), static_cast<int64_t>(axis));
    if (at != perm->end()) return static_cast<size_t>(at - perm->begin());
    logger_.warning(polygraphy::log_modules::kSparsity,
                    fmt::format("Transpose {} has no axis {} in <perm> [{}]!", transpose.name(),
                                axis, fmt::join(*perm, ", ")));
    return std::nullopt;
  }

  void record(Tensor* tensor, size_t axis) {
    const auto [at, first] = index_.try_emplace(tensor, found_.size());
    if (first) {
      found_.push_back({TensorRef(tensor), axis});
    } else {
      found_[at->second].axis = axis;
    }
  }

  Logger& logger_;
  const size_t longest_way_;
  std::unordered_set<const Tensor*> initializers_;
  std::vector<SparsityCandidate> found_;
  std::unordered_map<const Tensor*, size_t> index_;
};

bool is_eligible(const SparsityCandidate& candidate,
                 const std::unordered_set<std::string_view>& skip, Logger& logger) {
  const Tensor& weight = *candidate.weight;
  const DataType dtype = weight.dtype();
  if (skip.contains(weight.name())) {
    logger.warning(
        polygraphy::log_modules::kSparsity,
        fmt::format("Skipping tensor: {} since it was marked to skip pruning", weight.name()));
    return false;
  }
  if (dtype != DataType::kFloat32 && dtype != DataType::kFloat16 && dtype != DataType::kBfloat16) {
    logger.warning(polygraphy::log_modules::kSparsity,
                   fmt::format("Skipping tensor: {} due to unsupported type: {}", weight.name(),
                               polygraphy::name_of(dtype)));
    return false;
  }
  const Shape& shape = weight.payload()->shape();
  if (candidate.axis >= shape.size()) {
    logger.warning(polygraphy::log_modules::kSparsity,
                   fmt::format("Skipping tensor: {} since its shape [{}] has no axis {}",
                               weight.name(), fmt::join(shape, ", "), candidate.axis));
    return false;
  }
  if (shape[candidate.axis] % 4 != 0) {
    logger.verbose(
        polygraphy::log_modules::kSparsity,
        fmt::format("Skipping {} since the length of axis {} ({} in [{}]) is "
                    "not a multiple of 4. ",
                    weight.name(), candidate.axis, shape[candidate.axis], fmt::join(shape, ", ")));
    return false;
  }
  return true;
}

// Whether the range is a hole (zeros); else starts reading it.
bool zeros_or_next(MappedReader& reader, size_t offset, size_t length) {
  if (reader.is_hole(offset, length)) return true;
  reader.at(offset, length);
  return false;
}

template <typename Bits>
bool each_group_has_two_zeros(const std::byte* bytes, const GroupsOfFour& groups,
                              MappedReader& reader) {
  constexpr size_t kColumnsAtOnce = 1024;
  for (size_t block = 0; block < groups.blocks; ++block) {
    const size_t offset = block * 4 * groups.row_step * sizeof(Bits);
    const std::byte* rows = bytes + offset;
    const bool innermost = groups.column_step == 4;
    if (!innermost && zeros_or_next(reader, offset, 4 * groups.row_step * sizeof(Bits))) continue;
    for (size_t begin = 0; begin < groups.columns; begin += kColumnsAtOnce) {
      const size_t end = std::min(groups.columns, begin + kColumnsAtOnce);
      if (innermost &&
          zeros_or_next(reader, begin * 4 * sizeof(Bits), (end - begin) * 4 * sizeof(Bits))) {
        continue;
      }
      bool all = true;
      for (size_t column = begin; column < end; ++column) {
        int zeros = 0;
        for (size_t row = 0; row < 4; ++row) {
          const size_t element = row * groups.row_step + column * groups.column_step;
          zeros += magnitude(load_bits<Bits>(rows, element)) == 0;
        }
        all &= zeros >= 2;
      }
      if (!all) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<SparsityCandidate> find_sparsity_candidates(
    const Model& model, Logger& logger, const std::unordered_set<std::string_view>& skip) {
  logger.verbose(polygraphy::log_modules::kSparsity,
                 "Walking graph to collect weights candidates.");
  CandidateWalk walk(*model.graph, logger);
  for (const NodeRef& node : model.graph->nodes()) walk.visit(*node);
  std::vector<SparsityCandidate> candidates = walk.take();
  logger.verbose(polygraphy::log_modules::kSparsity,
                 fmt::format("Collected {} weights candidates.", candidates.size()));

  logger.verbose(polygraphy::log_modules::kSparsity,
                 "Skipping tensors that are not eligible for pruning.");
  const size_t collected = candidates.size();
  std::erase_if(candidates, [&](const SparsityCandidate& candidate) {
    return !is_eligible(candidate, skip, logger);
  });
  logger.extra_verbose(polygraphy::log_modules::kSparsity,
                       fmt::format("Skipped {} of {} tensor(s) since they are not "
                                   "eligible for pruning. ",
                                   collected - candidates.size(), collected));
  logger.info(polygraphy::log_modules::kSparsity,
              fmt::format("Found: {} weight tensor(s) eligible for pruning.", candidates.size()));
  return candidates;
}

bool is_sparse(const Payload& values, std::string_view tensor, size_t axis) {
  const Array array = values.load(tensor).contiguous_aligned(1);
  const GroupsOfFour groups(values.shape(), axis);
  MappedReader reader(values, tensor);
  const bool sparse = with_bits_of(values.dtype(), [&](auto bits) {
    return each_group_has_two_zeros<decltype(bits)>(array.data(), groups, reader);
  });
  check_intact(values, tensor);
  return sparse;
}

std::vector<TensorRef> check_sparsity(const Model& model, Logger& logger) {
  const std::vector<SparsityCandidate> candidates = find_sparsity_candidates(model, logger);
  logger.start(polygraphy::log_modules::kSparsity,
               fmt::format("Checking the sparsity pattern of {} tensors.", candidates.size()));
  std::vector<TensorRef> sparse;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const auto& [weight, axis] = candidates[i];
    logger.extra_verbose(
        polygraphy::log_modules::kSparsity,
        fmt::format("Checking tensor {}/{}: {}", i + 1, candidates.size(), weight->name()));
    if (is_sparse(*weight->payload(), weight->name(), axis)) {
      logger.info(polygraphy::log_modules::kSparsity,
                  fmt::format("Found sparse tensor: {}", weight->name()));
      sparse.push_back(weight);
    } else {
      logger.warning(polygraphy::log_modules::kSparsity,
                     fmt::format("Found non-sparse tensor: {}", weight->name()));
    }
  }
  logger.finish(polygraphy::log_modules::kSparsity,
                fmt::format("Finished checking {} tensors. ", candidates.size()));
  return sparse;
}

}  // namespace graphsurgeon
