#include "graphsurgeon/io/shape_values.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/domain.h"

namespace graphsurgeon {
namespace {

constexpr int64_t kSmall = 1024;  // bytes; the default of SaveOptions::external_data_threshold

// By operator of the default domain: positions of the inputs whose values its inference reads, in
// any version; of one that was added later, the position in older ones is data of another kind.
struct Reader {
  std::string_view op;
  uint32_t inputs;  // a bit per position
};
constexpr uint32_t at(auto... positions) {
  return ((uint32_t{1} << positions) | ...);
}
constexpr Reader kReaders[] = {
    {"AffineGrid", at(1)},
    {"BlackmanWindow", at(0)},
    {"CenterCropPad", at(1)},
    {"Col2Im", at(1, 2)},
    {"ConstantOfShape", at(0)},
    {"DFT", at(1, 2)},
    {"Expand", at(1)},
    {"HammingWindow", at(0)},
    {"HannWindow", at(0)},
    {"MaxUnpool", at(2)},
    {"MelWeightMatrix", at(0, 1, 2, 3, 4)},
    {"OneHot", at(1)},
    {"Pad", at(1, 3)},
    {"Range", at(0, 1, 2)},
    {"ReduceL1", at(1)},
    {"ReduceL2", at(1)},
    {"ReduceLogSum", at(1)},
    {"ReduceLogSumExp", at(1)},
    {"ReduceMax", at(1)},
    {"ReduceMean", at(1)},
    {"ReduceMin", at(1)},
    {"ReduceProd", at(1)},
    {"ReduceSum", at(1)},
    {"ReduceSumSquare", at(1)},
    {"Reshape", at(1)},
    {"Resize", at(1, 2, 3)},
    {"STFT", at(1, 3)},
    {"Slice", at(1, 2, 3, 4)},
    {"Split", at(1)},
    {"SplitToSequence", at(1)},
    {"Squeeze", at(1)},
    {"Tile", at(1)},
    {"TopK", at(1)},
    {"Unsqueeze", at(1)},
    {"Upsample", at(1)},
};

static_assert(std::is_sorted(std::begin(kReaders), std::end(kReaders),
                             [](const Reader& a, const Reader& b) { return a.op < b.op; }));

uint32_t inputs_read_by(std::string_view op) {
  const auto* found = std::lower_bound(
      std::begin(kReaders), std::end(kReaders), op,
      [](const Reader& reader, std::string_view name) { return reader.op < name; });
  return found != std::end(kReaders) && found->op == op ? found->inputs : 0;
}

}  // namespace

bool reads_for_shape(std::string_view op, size_t position) {
  return position < 32 && (inputs_read_by(op) >> position & 1) != 0;
}

ShapeValues::ShapeValues(const Model& model) {
  for (const Graph* graph : all_graphs(model)) {
    for (const NodeRef& node : graph->nodes()) {
      if (!is_default_domain(node->domain())) continue;
      const uint32_t read = inputs_read_by(node->op());
      if (read == 0) continue;
      size_t position = 0;
      for (const auto& input : node->inputs()) {
        if (position < 32 && (read >> position & 1) != 0 && input && input->is_constant())
          read_.insert(input->payload().get());
        ++position;
      }
    }
  }
}

bool ShapeValues::contains(const Payload& payload) const {
  const DataType type = payload.dtype();
  const bool may_be_size =
      type == DataType::kInt64 || type == DataType::kInt32 || type == DataType::kBool;
  return (may_be_size && payload.nbytes() < kSmall) || read_.contains(&payload);
}

}  // namespace graphsurgeon
