// Input: choices, of a byte each, by which a model is made and damaged. Surgery on it keeps what it
// promises.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/fold/testdata/zero_evaluator.h"
#include "graphsurgeon/graphsurgeon.h"
#include "graphsurgeon/testdata/random_model.h"

namespace {

using namespace graphsurgeon;

constexpr int64_t kMostElements = 1 << 12;

Model load(const std::string& bytes) {
  return load_model_from_bytes(std::as_bytes(std::span(bytes)), nullptr, "fuzz.onnx");
}

std::string saved;  // the model before surgery

void require(bool holds, const std::string& promise) {
  if (holds) return;
  std::fprintf(stderr, "%s\nbroken: %s\n", to_onnx_text(load(saved)).c_str(), promise.c_str());
  std::abort();
}

// Takes them off `bytes`. 0 behind the last one.
Choose chosen_by_bytes(std::span<const uint8_t>& bytes) {
  return [&bytes](size_t n) -> size_t {
    if (bytes.empty()) return 0;
    const size_t byte = bytes.front();
    bytes = bytes.subspan(1);
    return byte % n;
  };
}

class SmallEvaluator final : public Evaluator {
 public:
  std::vector<Array> evaluate(const Model& region,
                              const std::vector<std::pair<std::string, Array>>& feeds) override {
    for (const TensorRef& output : region.graph->outputs()) {
      int64_t elements = 1;
      for (const Dim& dim : output->shape().value_or(DimList{})) {
        const int64_t value = dim.has_value() ? dim.value() : 1;
        if (value < 0 || value > kMostElements) throw Error("no size of this evaluator");
        elements *= value;
        if (elements > kMostElements) throw Error("no size of this evaluator");
      }
    }
    return zeros_.evaluate(region, feeds);
  }

 private:
  ZeroEvaluator zeros_{"MatMul"};
};

// Null for a graph without nodes, and for a node without tensors on the chosen side.
Tensor* any_tensor(const Graph& graph, const Choose& choose) {
  const auto& nodes = graph.nodes();
  if (nodes.empty()) return nullptr;
  const Node& node = *nodes[choose(nodes.size())];
  const TensorList& list = choose(2) == 0 ? node.inputs() : node.outputs();
  return list.empty() ? nullptr : list[choose(list.size())];
}

void damage(Model& model, const Choose& choose) {
  const std::vector<GraphRef> graphs = graphs_of(model);
  Graph& graph = *graphs[choose(graphs.size())];
  Tensor* tensor = any_tensor(graph, choose);
  Tensor* other = any_tensor(*graphs[choose(graphs.size())], choose);
  if (tensor == nullptr || other == nullptr) return;
  const TensorRef kept(tensor), other_kept(other);
  const NodeRef node = graph.nodes()[choose(graph.nodes().size())];
  static const std::vector<DimList> shapes = {
      {}, {int64_t{0}}, {-1}, {"N", "N"}, {"N + 1"}, {Dim()}, {int64_t{1} << 40}};
  static const DataType types[] = {DataType::kUndefined, DataType::kString, DataType::kInt64,
                                   DataType::kBfloat16,  DataType::kInt4,   DataType::kBool};
  const std::function<void()> ways[] = {
      [&] { tensor->set_name(other->name()); },
      [&] { tensor->set_name(""); },
      [&] { tensor->set_shape(shapes[choose(shapes.size())]); },
      [&] { tensor->set_dtype(types[choose(std::size(types))]); },
      [&] { tensor->to_constant(Array::of<int64_t>({2}, {-1, 3})); },
      [&] { node->set_name(graph.nodes().front()->name()); },
      [&] { node->set_name(""); },
      [&] { node->set_op(random_operators()[choose(random_operators().size())].op); },
      [&] { node->inputs().append(other_kept); },
      [&] { node->inputs().set(choose(1 + node->inputs().size()), other_kept); },  // may throw
      [&] { node->inputs().clear(); },
      [&] { node->outputs().append(other_kept); },
      [&] { node->outputs().clear(); },
      [&] { node->remove_attribute("axis"); },
      [&] { graph.mutable_inputs().push_back(other_kept); },
      [&] { graph.mutable_outputs().push_back(other_kept); },
      [&] { graph.mutable_initializers().push_back(other_kept); },
      [&] { std::swap(graph.mutable_nodes().front(), graph.mutable_nodes().back()); },
      [&] { graph.append(graph.nodes().front()); },
      [&] { model.set_opset(static_cast<int64_t>(7 + choose(16))); },
  };
  ways[choose(std::size(ways))]();
}

std::string encoded(const Model& model) {
  model.graph->store().edited();
  return encode_model(model);
}

// `promised`: the checker accepts it.
void check_written(const Model& model, bool promised) {
  const std::string bytes = encoded(model);
  const Model back = load(bytes);
  require(encoded(back) == bytes, "a written model is read and written as the same bytes");
  require(diff(back, back).equal(), "a model has no difference from itself");
  if (!promised) return;
  require(structurally_equal(model, back), "a written model is read as the same model");
  const std::string complaint = checker_complaint(back);
  require(complaint.empty(), "surgery keeps a valid model valid: " + complaint);
}

void infer(Model& model, bool promised) {
  Logger silent;
  infer_shapes(model, {}, silent);
  check_written(model, promised);
}

void clean(Model& model, bool promised, const Choose& choose) {
  const CleanupOptions options{.remove_unused_node_outputs = choose(2) == 1,
                               .remove_unused_graph_inputs = choose(2) == 1};
  cleanup(model, options);
  check_written(model, promised);
  const std::string once = encoded(model);
  cleanup(model, options);
  require(encoded(model) == once, "cleanup is done at once");
}

// Throws Error for a cycle.
void sort(Model& model, bool promised) {
  toposort(model);
  check_written(model, promised);
  const std::string once = encoded(model);
  toposort(model);
  require(encoded(model) == once, "toposort is done at once");
}

std::vector<std::pair<std::string, DataType>> outputs_of(const Model& model) {
  std::vector<std::pair<std::string, DataType>> outputs;
  for (const TensorRef& t : model.graph->outputs()) outputs.emplace_back(t->name(), t->dtype());
  return outputs;
}

bool has_consistent_types(const Model& model) {
  try {
    check_model(model, {.shapes = true});
    return true;
  } catch (const Error&) {
    return false;
  }
}

void fold(Model& model, bool promised, const Choose& choose) {
  SmallEvaluator evaluator;
  const size_t flags = choose(64);
  const FoldOptions options{.fold_shapes = (flags & 1) == 0,
                            .infer_shapes = (flags & 2) == 0,
                            .flatten_subgraphs = (flags & 4) == 0,
                            .keep_input_defaults = (flags & 8) != 0,
                            .partitioning = static_cast<Partitioning>(choose(3)),
                            .max_growth = (flags & 16) == 0 ? kDefaultMaxGrowth : 16,
                            .memory_limit = 1 << 16,
                            .evaluator = (flags & 32) != 0 ? &evaluator : nullptr};
  toposort(model);
  const Model original = copy(model);
  const bool is_typed = promised && has_consistent_types(model);
  const auto before = outputs_of(model);
  Logger silent;
  fold_constants(model, options, silent);
  check_written(model, false);  // nodes without outputs stay until cleanup()
  cleanup(model);
  check_written(model, promised);
  const auto after = outputs_of(model);
  require(after.size() == before.size(), "folding keeps the number of outputs");
  for (size_t i = 0; promised && i < after.size(); ++i) {
    require(after[i].first == before[i].first, "folding keeps the names of outputs");
    require(!is_typed || after[i].second == before[i].second, "folding keeps types of outputs");
  }
  diff(original, model);
  diff(model, original);
}

void cut(Model& model, const Choose& choose) {
  std::vector<TensorRef> ends[2];
  for (auto& list : ends) {
    for (size_t n = 1 + choose(2); n > 0; --n) {
      if (Tensor* tensor = any_tensor(*model.graph, choose)) list.emplace_back(tensor);
    }
  }
  extract(model, ends[0], ends[1]);
  check_written(model, false);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::span<const uint8_t> bytes(data, size);
  const Choose choose = chosen_by_bytes(bytes);
  bool is_valid = false;
  // Surgery on a model as read. It may refuse damaged ones.
  const auto on_copy = [&](bool promised, auto operation) {
    try {
      Model model = load(saved);
      operation(model, promised);
    } catch (const Error& error) {
      require(!promised, error.what());
    }
  };
  try {
    Model made = RandomModel(choose, 1 + static_cast<int>(choose(12))).make();
    const size_t faults = choose(4);
    for (size_t i = 0; i < faults; ++i) damage(made, choose);
    saved = encode_model(made);
    is_valid = checker_complaint(load(saved)).empty();
    require(is_valid || faults > 0, "a model without faults is valid");
  } catch (const Error&) {
    return 0;  // refused
  }
  on_copy(is_valid, check_written);
  on_copy(is_valid, infer);
  on_copy(is_valid, sort);
  on_copy(is_valid, [&](Model& m, bool promised) { clean(m, promised, choose); });
  on_copy(is_valid, [&](Model& m, bool promised) { fold(m, promised, choose); });
  on_copy(false, [&](Model& m, bool) { cut(m, choose); });
  return 0;
}
