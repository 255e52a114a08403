#include "tensorflow/graph.h"

#include <algorithm>
#include <initializer_list>
#include <unordered_map>

namespace tensorflow {
namespace {

// Parts of the names of operators, and of nodes, that make no results.
constexpr std::string_view kNoOutputOps[] = {"NoOp",
                                             "Assert",
                                             "Assign",
                                             "Const",
                                             "Enter",
                                             "Exit",
                                             "FusedBatchNorm",
                                             "LoopCond",
                                             "NextIteration",
                                             "Print",
                                             "ReadVariableOp",
                                             "Switch",
                                             "VarIsInitializedOp"};
constexpr std::string_view kNoOutputNames[] = {"while", "Assert"};

template <typename Parts>
bool has_part(std::string_view text, const Parts& parts) {
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](std::string_view part) { return text.find(part) != text.npos; });
}

}  // namespace

void Graph::import(std::string_view graph_def) {
  const Api& api = library_.api();
  const Buffer view{graph_def.data(), graph_def.size(), nullptr};
  const Owned<TF_ImportGraphDefOptions> options(api.NewImportGraphDefOptions(),
                                                api.DeleteImportGraphDefOptions);
  const Status status(library_);
  api.GraphImportGraphDef(graph_.get(), &view, options.get(), status.get());
  status.check();
}

std::string Graph::graph_def() const {
  const Owned<Buffer> buffer = make_buffer(library_);
  const Status status(library_);
  library_.api().GraphToGraphDef(graph_.get(), buffer.get(), status.get());
  status.check();
  return std::string(bytes_of(buffer));
}

std::vector<TF_Operation*> Graph::operations() const {
  std::vector<TF_Operation*> found;
  size_t position = 0;
  while (TF_Operation* next = library_.api().GraphNextOperation(graph_.get(), &position))
    found.push_back(next);
  return found;
}

std::optional<Output> Graph::tensor(std::string_view name) const {
  const Api& api = library_.api();
  const size_t colon = name.rfind(':');
  const std::string node(name.substr(0, colon));
  int index = 0;
  if (colon != name.npos) {
    const std::string_view number = name.substr(colon + 1);
    if (number.empty() || number.size() > 6 ||
        number.find_first_not_of("0123456789") != number.npos) {
      return std::nullopt;
    }
    index = std::stoi(std::string(number));
  }
  TF_Operation* operation = api.GraphOperationByName(graph_.get(), node.c_str());
  if (!operation || index >= api.OperationNumOutputs(operation)) return std::nullopt;
  return Output{operation, index};
}

std::string Graph::name_of(const Api& api, Output output) {
  return std::string(api.OperationName(output.operation)) + ":" + std::to_string(output.index);
}

std::vector<Output> Graph::placeholders() const {
  constexpr std::string_view kInputOps[] = {"Placeholder", "FIFOQueue"};
  std::vector<Output> found;
  for (TF_Operation* operation : operations()) {
    if (has_part(library_.api().OperationOpType(operation), kInputOps))
      found.push_back({operation, 0});
  }
  return found;
}

std::vector<Output> Graph::likely_outputs() const {
  const Api& api = library_.api();
  const auto is_used = [&](TF_Operation* operation) {
    bool used = api.OperationNumControlOutputs(operation) > 0;
    for (int i = 0; !used && i < api.OperationNumOutputs(operation); ++i)
      used = api.OperationOutputNumConsumers({operation, i}) > 0;
    return used;
  };
  std::vector<Output> found;
  for (TF_Operation* operation : operations()) {
    const bool has_inputs =
        api.OperationNumInputs(operation) + api.OperationNumControlInputs(operation) > 0;
    if (!has_inputs || is_used(operation) || api.OperationNumOutputs(operation) == 0 ||
        has_part(api.OperationOpType(operation), kNoOutputOps) ||
        has_part(api.OperationName(operation), kNoOutputNames)) {
      continue;
    }
    found.push_back({operation, 0});
  }
  return found;
}

std::unordered_set<TF_Operation*> Graph::conditional() const {
  const Api& api = library_.api();
  const auto is_one_of = [&](TF_Operation* operation, std::initializer_list<std::string_view> ops) {
    return std::find(ops.begin(), ops.end(), api.OperationOpType(operation)) != ops.end();
  };
  std::unordered_map<TF_Operation*, std::vector<TF_Operation*>> users;
  // Loops are from Enter to Exit, branches from Switch to Merge, which loops have inside.
  std::unordered_set<TF_Operation*> loops, branches;
  std::vector<TF_Operation*> in_loops, in_branches;
  for (TF_Operation* operation : operations()) {
    for (int i = 0; i < api.OperationNumInputs(operation); ++i)
      users[api.OperationInput({operation, i}).operation].push_back(operation);
    std::vector<TF_Operation*> awaited(
        static_cast<size_t>(api.OperationNumControlInputs(operation)));
    api.OperationGetControlInputs(operation, awaited.data(), static_cast<int>(awaited.size()));
    for (TF_Operation* each : awaited) users[each].push_back(operation);
    if (is_one_of(operation, {"Enter", "RefEnter"}) && loops.insert(operation).second)
      in_loops.push_back(operation);
    if (is_one_of(operation, {"Switch", "RefSwitch"}) && branches.insert(operation).second)
      in_branches.push_back(operation);
  }
  const auto spread = [&](std::vector<TF_Operation*> open, std::unordered_set<TF_Operation*>& into,
                          std::initializer_list<std::string_view> ends) {
    while (!open.empty()) {
      TF_Operation* operation = open.back();
      open.pop_back();
      for (TF_Operation* user : users[operation]) {
        if (!is_one_of(user, ends) && into.insert(user).second) open.push_back(user);
      }
    }
  };
  spread(in_loops, loops, {"Exit", "RefExit"});
  spread(in_branches, branches, {"Exit", "RefExit", "Merge", "RefMerge"});
  loops.merge(branches);
  return loops;
}

std::vector<Output> Graph::all_outputs() const {
  const Api& api = library_.api();
  const std::unordered_set<TF_Operation*> left_out = conditional();
  std::vector<Output> found;
  for (TF_Operation* operation : operations()) {
    if (left_out.contains(operation)) continue;
    for (int i = 0; i < api.OperationNumOutputs(operation); ++i) {
      const Output output{operation, i};
      if (onnx_type(api.OperationOutputType(output)) != 0) found.push_back(output);
    }
  }
  return found;
}

std::vector<Output> Graph::calls() const {
  const Api& api = library_.api();
  std::vector<Output> found;
  for (TF_Operation* operation : operations()) {
    if (std::string_view(api.OperationOpType(operation)).ends_with("PartitionedCall"))
      found.push_back({operation, 0});
  }
  return found;
}

std::vector<Output> Graph::needed(const std::vector<Output>& tensors,
                                  const std::vector<Output>& results) const {
  const Api& api = library_.api();
  std::unordered_set<TF_Operation*> reached;
  std::vector<TF_Operation*> open;
  const auto reach = [&](TF_Operation* operation) {
    if (reached.insert(operation).second) open.push_back(operation);
  };
  for (const Output& result : results) reach(result.operation);
  while (!open.empty()) {
    TF_Operation* operation = open.back();
    open.pop_back();
    for (int i = 0; i < api.OperationNumInputs(operation); ++i)
      reach(api.OperationInput({operation, i}).operation);
  }
  std::vector<Output> found;
  for (const Output& tensor : tensors) {
    if (reached.contains(tensor.operation)) found.push_back(tensor);
  }
  return found;
}

void Graph::add_port(Ports& to, std::string name, Output output) const {
  const Api& api = library_.api();
  Port& port = to.emplace_back();
  port.name = std::move(name);
  port.output = output;
  const Status status(library_);
  const int rank = api.GraphGetTensorNumDims(graph_.get(), output, status.get());
  status.check();
  if (rank > 0) {
    port.dims.resize(static_cast<size_t>(rank));
    api.GraphGetTensorShape(graph_.get(), output, port.dims.data(), rank, status.get());
    status.check();
  }
  pgb_tensor_info& info = port.info;
  info.dtype = onnx_type(api.OperationOutputType(output));
  info.kind = info.dtype == 0 ? 0 : info.dtype == pgb::kOnnxString ? PGB_STRINGS : PGB_TENSOR;
  info.rank = rank;
  port.finish();
}

}  // namespace tensorflow
