#include "graphsurgeon/fold/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/size_text.h"
#include "graphsurgeon/fold/byte_size.h"
#include "graphsurgeon/fold/eligibility.h"
#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/fold/required_sizes.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "graphsurgeon/onnx/node_inference.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace graphsurgeon {

namespace {

// Results up to this size are written as soon as they are known, so that inference sees them. Each
// replaces a node, which takes some hundred bytes itself.
constexpr int64_t kWrittenAtOnce = 1024;
constexpr int64_t kAlwaysWritten = 128;

using Rules = std::vector<const FoldRule*>;

class Sweep final : public FoldContext {
 public:
  explicit Sweep(FoldState& state)
      : state_(state), eligibility_(state), inference_(state.model, state.logger) {
    for (const FoldRule* rule : fold_rules()) {
      if (rule->phase != FoldPhase::kSweep || !wants(*rule)) continue;
      for (const std::string_view op : rule->ops) rules_[op].push_back(rule);
    }
  }

  void run() {
    Model& model = state_.model;
    for (const FunctionRef& function : model.functions) look_at(*function);
    if (model.graph) {
      look_at(*model.graph);
      open_inputs_ = OpenInputs(*model.graph);
      for (const auto& [input, shape] : open_inputs_.named()) inference_.name_dims(*input, shape);
      FoldScope& scope = state_.scopes.emplace_back();
      scope.graph = model.graph.get();
      scope.imports = &model.opset_imports;
      scope.constants_are_inputs = model.ir_version > 0 && model.ir_version < 4;
      set_opset(scope);
      visit(scope);
    }
    if (!state_.options.recurse_functions) return;
    // Last ones first, as the original does.
    for (size_t i = model.functions.size(); i-- > 0;) {
      FoldScope& scope = state_.scopes.emplace_back();
      scope.graph = model.functions[i].get();
      scope.imports = &model.functions[i]->opset_imports;
      scope.constants_are_nodes = true;
      scope.function = model.functions[i].get();
      scope.part = i + 1;
      set_opset(scope);
      // So that nodes of both can be computed together.
      if (imports_agree(*scope.imports, model.opset_imports)) scope.imports = &model.opset_imports;
      visit(scope);
    }
  }

  // --- FoldContext
  int64_t opset() const override { return frame_->scope.opset; }
  PayloadPtr value(const Tensor& tensor) const override { return state_.value(tensor); }
  const DimList* elements(const Tensor& tensor) override {
    if (state_.overridable.contains(&tensor)) return nullptr;
    return inference_.elements(tensor);
  }
  std::optional<KnownValues> known_values(const Tensor& tensor) override {
    if (state_.overridable.contains(&tensor)) return std::nullopt;
    return inference_.known_values(tensor);
  }
  SizeAlgebra& sizes() override { return inference_.sizes(); }
  void set_elements(Tensor& tensor, DimList elements) override {
    inference_.set_elements(tensor, std::move(elements));
  }
  bool is_graph_output(const Tensor& tensor) const override {
    return state_.outputs.contains(&tensor);
  }
  bool produce(std::vector<PayloadPtr> values) override {
    produced_ = std::move(values);
    return true;
  }
  void rewritten(const Node& node, std::vector<std::string_view> tensors) override {
    state_.report.rewrites.push_back({rule_->name, node.op(), node.name(), std::move(tensors)});
  }
  Graph& graph() override { return *frame_->scope.graph; }
  size_t position() const override { return frame_->done.size(); }
  void replace_with(std::vector<NodeRef> nodes) override {
    frame_->replaced = true;
    frame_->spliced = true;
    if (!state_.options.recurse_subgraphs) return leave(std::move(nodes));
    for (size_t i = nodes.size(); i-- > 0;) {
      look_at(*nodes[i]);
      frame_->next.push_back(std::move(nodes[i]));
    }
  }
  void add_constant(Tensor& tensor, PayloadPtr values) override {
    for (NodeRef& node : state_.add_constant(frame_->scope, tensor, values)) {
      frame_->done.push_back(std::move(node));
      frame_->spliced = true;
    }
  }
  std::string free_tensor_name(const std::string& wanted) override {
    if (!tensor_names_) collect_tensor_names();
    return unused_name(*tensor_names_, wanted);
  }
  std::string free_node_name(const std::string& wanted) override {
    auto& names = node_names_[frame_->scope.graph];
    if (names.empty()) {
      for (const NodeRef& node : frame_->scope.graph->nodes()) names.emplace(node->name());
    }
    return unused_name(names, wanted);
  }
  bool is_shared(const Graph& graph) const override {
    const auto found = holders_.find(&graph);
    return found != holders_.end() && found->second > 1;
  }

 private:
  // They were in a subgraph when the pass began.
  void leave(std::vector<NodeRef> nodes) {
    for (NodeRef& node : nodes) {
      look_at(*node);
      infer(*node);
      frame_->done.push_back(std::move(node));
    }
  }

  bool wants(const FoldRule& rule) const {
    const FoldOptions& options = state_.options;
    return !state_.is_skipped(rule) && (!rule.of_shapes || options.fold_shapes) &&
           (rule.needs == nullptr || options.*rule.needs);
  }

  struct Frame {
    FoldScope& scope;
    std::vector<NodeRef> done;
    std::vector<NodeRef> next;  // replacements of a node, last one first
    bool spliced = false;       // `done` differs from the graph's list
    bool replaced = false;      // the node that is being visited
  };
  void collect_tensor_names() {
    tensor_names_.emplace();
    const auto collect = [&](Graph& root) {
      for (const Graph* graph : inner_graphs_first(root)) {
        for (const auto& [name, tensor] : graph->tensor_map()) tensor_names_->emplace(name);
      }
    };
    collect(*state_.model.graph);
    for (const FunctionRef& function : state_.model.functions) collect(*function);
  }

  // Everything that `some` imports, `all` imports in the same version.
  static bool imports_agree(const std::vector<OpsetImport>& some,
                            const std::vector<OpsetImport>& all) {
    return std::all_of(some.begin(), some.end(), [&](const OpsetImport& one) {
      return std::any_of(all.begin(), all.end(), [&](const OpsetImport& other) {
        return same_domain(one.domain, other.domain) && one.version == other.version;
      });
    });
  }

  static void set_opset(FoldScope& scope) {
    for (const OpsetImport& import : *scope.imports) {
      if (is_default_domain(import.domain)) scope.opset = import.version;
    }
  }

  // Before any edit: the captures of nested graphs, the nodes that hold them, the graph outputs.
  void look_at(Graph& root) {
    const bool may_override = state_.model.ir_version == 0 || state_.model.ir_version >= 4;
    for (Graph* graph : inner_graphs_first(root)) {
      if (!known_graphs_.insert(graph).second) continue;
      for (const TensorRef& output : graph->outputs()) state_.outputs.insert(output.get());
      for (const TensorRef& input : graph->inputs()) {
        inputs_.insert(input.get());
        if (!may_override || !input->is_constant()) continue;
        const bool fixed = graph == state_.model.graph.get() && !state_.options.keep_input_defaults;
        (fixed ? state_.defaults : state_.overridable).insert(input.get());
      }
      for (const NodeRef& node : graph->nodes()) {
        for (const GraphRef& inner : node->subgraphs()) ++holders_[inner.get()];
      }
      if (graph != &root) captures_.add(*graph);
    }
  }
  // Graphs that came with a copy.
  void look_at(const Node& node) {
    for (const GraphRef& inner : node.subgraphs()) {
      if (known_graphs_.contains(inner.get())) continue;
      look_at(*inner);
      captures_.add(*inner);
    }
  }

  void visit(FoldScope& scope) {
    Frame frame{scope, {}, {}};
    Frame* const outer = std::exchange(frame_, &frame);
    const std::vector<NodeRef> nodes = scope.graph->nodes();
    frame.done.reserve(nodes.size());
    size_t at = 0;
    while (at < nodes.size() || !frame.next.empty()) {
      NodeRef node;
      if (!frame.next.empty()) {
        node = std::move(frame.next.back());
        frame.next.pop_back();
      } else {
        node = nodes[at++];
      }
      frame.replaced = false;
      visit(*node);
      // Replaced nodes are kept alive: the tables here are keyed by addresses.
      (frame.replaced ? gone_ : frame.done).push_back(std::move(node));
    }
    if (frame.spliced) scope.graph->mutable_nodes() = std::move(frame.done);
    frame_ = outer;
  }

  // How well the node's inputs are known; larger values mean less.
  enum class Known : uint8_t { kValues, kDecided, kNothing };
  Known known_inputs(const Node& node) const {
    Known known = Known::kValues;
    const auto look = [&](const Tensor& tensor) {
      if (tensor.is_empty() || known == Known::kNothing) return;
      if (!state_.is_decided(tensor)) {
        known = Known::kNothing;
      } else if (!state_.value(tensor)) {
        known = Known::kDecided;
      }
    };
    for (const Tensor* input : node.inputs()) look(*input);
    return known;
  }
  bool captures_are_decided(const Node& node) const {
    bool decided = true;
    // A tensor without a producer in enclosing graphs is local, or an input.
    captures_.for_each(
        node, [&](const Tensor& tensor) { decided = decided && state_.is_decided(tensor); });
    return decided;
  }

  void visit(Node& node) {
    if (node.outputs().empty()) return;  // folded before
    // The output of a node that is a graph input as well: cleanup() unlinks it, and callers feed
    // it.
    for (const Tensor* output : node.outputs()) {
      if (inputs_.contains(output)) return;
    }
    const bool standard = is_default_domain(node.domain());
    const auto found = standard ? rules_.find(node.op()) : rules_.end();
    const Rules* rules = found == rules_.end() ? nullptr : &found->second;
    const bool active = state_.may_rewrite();
    const Known known = known_inputs(node);
    const bool is_constant_node = standard && node.op() == "Constant";

    // Asked once, and only about nodes that could be folded.
    std::optional<std::string> reason;
    const auto allowed = [&] {
      if (!reason) {
        reason = eligibility_.refusal(node, frame_->scope);
        if (reason->empty() && !is_constant_node && is_excluded(node)) {
          reason = "excluded by the caller";
        }
      }
      return reason->empty();
    };

    // An If may become one of its branches, even if their nodes are not eligible for folding.
    const bool is_if = standard && node.op() == "If";
    const auto try_rules = [&] {
      if (!active || !rules) return false;
      return (is_if ? !is_excluded(node) : allowed()) && apply(*rules, node);
    };
    if (known == Known::kValues && try_rules()) return;
    infer(node);
    if (known != Known::kValues && try_rules()) return;
    if (active && known != Known::kNothing && !is_constant_node && captures_are_decided(node)) {
      if (!allowed()) {
        if (known == Known::kValues) require_operator(node, *reason);
        state_.refuse(node, std::max<int64_t>(result_bytes(node), 0), *reason);
      } else if (add_entry(node)) {
        return;
      }
    }
    if (node.has_subgraphs() && state_.options.recurse_subgraphs) visit_subgraphs(node);
  }

  // The evaluator would fail.
  void require_operator(const Node& node, const std::string& reason) const {
    if (state_.options.error_ok || state_.options.partitioning == Partitioning::kRecursive) return;
    if (reason != kNoSuchOperator && reason != kForeignDomain) return;
    throw polygraphy::Error(
        fmt::format("Node '{}' ({}) cannot be folded: {}.", node.name(), node.op(), reason),
        "Allow errors, or use recursive partitioning, to fold other nodes.");
  }

  bool is_excluded(const Node& node) const {
    return state_.options.exclude && state_.options.exclude(node);
  }

  void infer(Node& node) {
    if (!state_.options.infer_shapes) return;
    // Failures are reported by the shape inference of the whole model, not here.
    if (frame_->scope.function != nullptr) {
      inference_.infer(node, *frame_->scope.function);
    } else {
      inference_.infer(node);
      if (frame_->scope.graph == state_.model.graph.get()) size_inputs(node);
    }
  }

  // A size that a node of the main graph requires is required in every run of the model. Earlier
  // nodes use it in the next sweep.
  void size_inputs(const Node& node) {
    if (!state_.options.fold_shapes) return;
    for (const Tensor* input : node.inputs()) {
      if (state_.overridable.contains(input)) return;  // by one of another size
    }
    for (const RequiredSize& required : required_sizes(node)) {
      const Tensor* input = open_inputs_.set(required);
      if (input == nullptr) continue;
      state_.logger.verbose(polygraphy::log_modules::kGraph,
                            fmt::format("Input '{}' has a dynamic dimension that can only be {}: "
                                        "node '{}' ({}) does not run with another size",
                                        input->name(), required.size, node.name(), node.op()));
    }
  }

  void visit_subgraphs(Node& node) {
    const size_t before = state_.report.rewrites.size();
    for (const GraphRef& inner : node.subgraphs()) {
      if (!visited_.insert(inner.get()).second) continue;
      FoldScope& scope = state_.scopes.emplace_back(frame_->scope);
      scope.graph = inner.get();
      scope.constants_are_inputs = false;
      scope.constants_are_nodes = state_.model.ir_version > 0 && state_.model.ir_version < 4;
      visit(scope);
    }
    if (state_.report.rewrites.size() != before) infer(node);
  }

  std::vector<const Tensor*> defaults_read(const Node& node) const {
    std::vector<const Tensor*> read;
    if (state_.defaults.empty()) return read;
    for (const Tensor* input : node.inputs()) {
      if (state_.defaults.contains(input)) read.push_back(input);
    }
    return read;
  }
  void take_defaults(const std::vector<const Tensor*>& tensors) {
    for (const Tensor* tensor : tensors) {
      if (state_.defaults.erase(tensor) != 0)
        state_.report.taken_defaults.push_back(tensor->name());
    }
  }

  // Returns true when the node needs no further look.
  bool apply(const Rules& rules, Node& node) {
    const std::vector<const Tensor*> defaults = defaults_read(node);
    for (const FoldRule* rule : rules) {
      if (!state_.may_rewrite()) return false;
      rule_ = rule;
      produced_.clear();
      const size_t rewrites = state_.report.rewrites.size();
      bool changed = false;
      try {
        changed = rule->apply(node, *this);
      } catch (const polygraphy::Interrupted&) {
        throw;
      } catch (const polygraphy::Error& error) {
        if (!state_.options.error_ok) throw;
        state_.refuse(node, 0, error.what());
        return false;
      }
      if (!changed) continue;
      // A damaged node has more outputs than its operator.
      if (!produced_.empty() && produced_.size() < node.outputs().size()) return false;
      take_defaults(defaults);
      if (!produced_.empty()) {
        settle(node, *rule);
        return true;
      }
      if (frame_->replaced) return true;
      if (state_.report.rewrites.size() != rewrites) infer(node);
    }
    return false;
  }

  // Values of the node's outputs are known.
  void settle(Node& node, const FoldRule& rule) {
    int64_t bytes = 0;
    int64_t largest = 0;
    for (const PayloadPtr& value : produced_) {
      if (!value) continue;
      bytes += value->nbytes();
      largest = std::max(largest, value->nbytes());
    }
    if (node.op() == "Constant") {
      if (frame_->scope.constants_are_nodes) {
        infer(node);
        state_.facts[node.outputs()[0]] = {produced_[0], -1};
      } else {
        state_.write(frame_->scope, node, produced_, rule.name);
      }
      return;
    }
    const auto& threshold = state_.options.size_threshold;
    const bool too_large = threshold && largest > *threshold && !rule.of_shapes;
    const bool at_once =
        bytes <= (written_at_once_ < kBudgetAtOnce ? kWrittenAtOnce : kAlwaysWritten);
    if (!too_large && at_once) {
      written_at_once_ += bytes;
      const TensorRef keep = node.outputs()[0];
      for (NodeRef& constant : state_.write(frame_->scope, node, produced_, rule.name)) {
        infer(*constant);
        frame_->done.push_back(std::move(constant));
        frame_->spliced = true;
      }
      return;
    }
    infer(node);
    if (std::string why = beyond_memory(written_out(produced_)); !why.empty()) {
      refuse_for_memory(new_entry(node, bytes), std::move(why));
      return;
    }
    memory_ += written_out(produced_);
    FoldEntry& entry = new_entry(node, bytes);
    entry.rule = &rule;
    entry.values = std::move(produced_);
    for (size_t i = 0; i < entry.values.size(); ++i) {
      Tensor& output = *node.outputs()[i];
      if (output.is_empty() || !entry.values[i]) continue;
      declare(output, *entry.values[i]);
      state_.facts[&output] = {entry.values[i], index_of(entry)};
    }
    if (too_large) refuse_by_threshold(entry, largest);
  }

  // Splats take no memory.
  static int64_t written_out(const std::vector<PayloadPtr>& values) {
    int64_t bytes = 0;
    for (const PayloadPtr& value : values) {
      if (value && value->kind() != Payload::Kind::kSplat) bytes += value->nbytes();
    }
    return bytes;
  }

  // Why `bytes` more have no place, or "".
  std::string beyond_memory(int64_t bytes) const {
    const auto& limit = state_.options.memory_limit;
    if (!limit || bytes <= *limit - memory_) return {};
    if (bytes == kEndless) return "the size of its result is unknown before its computation";
    return fmt::format("it would take {} of memory, in addition to {} so far, of {}",
                       polygraphy::size_text(bytes), polygraphy::size_text(memory_),
                       polygraphy::size_text(*limit));
  }

  static void refuse_for_memory(FoldEntry& entry, std::string why) {
    entry.fate = FoldEntry::Fate::kRefused;
    entry.why = std::move(why);
    entry.is_too_large = entry.is_beyond_memory = true;
  }

  static void declare(Tensor& tensor, const Payload& values) {
    if (tensor.dtype() == DataType::kUndefined) tensor.set_dtype(values.dtype());
    if (!tensor.shape()) tensor.set_shape(DimList(values.shape().begin(), values.shape().end()));
  }

  int32_t index_of(const FoldEntry& entry) const {
    return static_cast<int32_t>(&entry - state_.entries.data());
  }

  FoldEntry& new_entry(Node& node, int64_t bytes) {
    FoldEntry& entry = state_.entries.emplace_back();
    entry.node = NodeRef(&node);
    entry.scope = &frame_->scope;
    entry.bytes = bytes;
    std::unordered_set<const Tensor*> seen;
    const auto add = [&](const Tensor& tensor) {
      if (!tensor.is_empty() && seen.insert(&tensor).second) entry.inputs.push_back(&tensor);
    };
    for (const Tensor* input : node.inputs()) add(*input);
    captures_.for_each(node, add);
    const int32_t index = index_of(entry);
    state_.entry_of[&node] = index;
    for (const GraphRef& inner : node.subgraphs()) {
      for (const Graph* graph : inner_graphs_first(*inner)) {
        for (const NodeRef& n : graph->nodes()) state_.entry_of[n.get()] = index;
      }
    }
    return entry;
  }

  void refuse_by_threshold(FoldEntry& entry, int64_t largest) {
    entry.fate = FoldEntry::Fate::kRefused;
    entry.why = fmt::format("its result of {} is larger than the threshold of {} bytes",
                            polygraphy::size_text(largest), *state_.options.size_threshold);
  }

  // The node depends on constants alone, and no rule computes it. False: it stays, and nothing
  // behind it is decided.
  bool add_entry(Node& node) {
    const int64_t bytes = result_bytes(node);
    std::string why;
    if (state_.options.max_growth) {
      // Not even on the way to something small.
      const int64_t limit = std::max(*state_.options.max_growth, kDefaultMaxGrowth);
      if (bytes < 0 && facts_of(node).grows) {
        why = "the size of its result is unknown before its computation";
      } else if (bytes > limit + 2 * input_bytes(node)) {
        why = fmt::format(
            "its result of {} exceeds the limit of folding, {} plus twice the size of its inputs",
            polygraphy::size_text(bytes), polygraphy::size_text(limit));
      }
      for (const Tensor* input : node.inputs()) {
        // A splat would have to be written out to be fed.
        const PayloadPtr value = state_.value(*input);
        if (why.empty() && value && value->kind() == Payload::Kind::kSplat &&
            value->nbytes() > limit) {
          why = fmt::format("its expanded input '{}' needs {}", input->name(),
                            polygraphy::size_text(value->nbytes()));
        }
      }
    }
    FoldEntry& entry = new_entry(node, bytes);
    if (!why.empty()) {
      entry.fate = FoldEntry::Fate::kRefused;
      entry.why = std::move(why);
      entry.is_too_large = true;
      return false;
    }
    const int64_t memory = memory_of(node, bytes);
    if (why = beyond_memory(memory); !why.empty()) {
      refuse_for_memory(entry, std::move(why));
      return false;
    }
    memory_ += memory;
    int64_t largest = 0;
    for (const Tensor* output : node.outputs()) {
      if (output->is_empty()) continue;
      state_.facts[output] = {nullptr, index_of(entry)};
      largest = std::max(largest, tensor_bytes(*output));
      if (output->type_kind() != TypeKind::kTensor) {
        entry.fate = FoldEntry::Fate::kRefused;
        entry.why = "its result is not a tensor";
      }
    }
    if (state_.options.size_threshold && largest > *state_.options.size_threshold) {
      refuse_by_threshold(entry, largest);
    }
    if (entry.fate != FoldEntry::Fate::kRefused) take_defaults(entry.inputs);
    return true;
  }

  int64_t input_bytes(const Node& node) const {
    int64_t bytes = 0;
    for (const Tensor* input : node.inputs()) {
      const PayloadPtr value = state_.value(*input);
      bytes += value ? value->nbytes() : std::max<int64_t>(tensor_bytes(*input), 0);
    }
    return bytes;
  }

  // Of computing the node: its results, and splats that have to be written out for it. Results of
  // unknown size are taken to be as large as the inputs, or endless where they may grow.
  int64_t memory_of(const Node& node, int64_t result_bytes) const {
    if (!state_.options.memory_limit) return 0;
    if (result_bytes < 0 && facts_of(node).grows) return kEndless;
    int64_t bytes = result_bytes < 0 ? input_bytes(node) : result_bytes;
    for (const Tensor* input : node.inputs()) {
      const PayloadPtr value = state_.value(*input);
      if (!value || value->kind() != Payload::Kind::kSplat) continue;
      if (value->nbytes() > kEndless - bytes) return kEndless;
      bytes += value->nbytes();
    }
    return bytes;
  }

  static constexpr int64_t kEndless = std::numeric_limits<int64_t>::max();
  static constexpr int64_t kBudgetAtOnce = int64_t{1} << 20;

  FoldState& state_;
  FoldEligibility eligibility_;
  NodeInference inference_;
  OpenInputs open_inputs_;
  Captures captures_;
  std::map<std::string_view, Rules> rules_;
  std::unordered_map<const Graph*, int> holders_;
  std::unordered_set<const Graph*> known_graphs_, visited_;
  std::unordered_set<const Tensor*> inputs_;  // of graphs
  std::vector<NodeRef> gone_;
  std::optional<TensorNames> tensor_names_;
  std::unordered_map<const Graph*, TensorNames> node_names_;
  int64_t written_at_once_ = 0;
  int64_t memory_ = 0;  // of FoldOptions::memory_limit, taken by the entries so far

  Frame* frame_ = nullptr;
  const FoldRule* rule_ = nullptr;
  std::vector<PayloadPtr> produced_;
};

}  // namespace

void sweep(FoldState& state) {
  Sweep(state).run();
}

}  // namespace graphsurgeon
