#include "graphsurgeon/ir/graph.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/imports.h"
#include "graphsurgeon/ir/name_index.h"

namespace graphsurgeon {

Graph::Graph(Store& store, size_t bytes) : Object(store, bytes) {}
Graph::~Graph() = default;

GraphRef Graph::create(Store& store, std::string_view name) {
  GraphRef graph(GraphAccess::create_graph(store));
  if (!name.empty()) graph->name_ = store.keep(name);
  store.edited();
  return graph;
}

void Graph::set_name(std::string_view name) {
  name_ = store().keep(name);
  store().edited();
}

void Graph::set_doc_string(std::string_view text) {
  doc_string_ = store().keep(text);
  store().edited();
}

void Graph::set_unknown_fields(std::string_view encoded) {
  unknown_fields_ = store().adopt(encoded);
  store().edited();
}

std::unordered_map<std::string_view, Tensor*> Graph::tensor_map() const {
  std::unordered_map<std::string_view, Tensor*> map;
  map.reserve(initializers_.size() + inputs_.size() + 2 * nodes_.size());
  const auto add = [&](Tensor* tensor) {
    if (!tensor->is_empty()) map.try_emplace(tensor->name(), tensor);
  };
  for (const auto& tensor : initializers_) add(tensor.get());
  for (const auto& tensor : inputs_) add(tensor.get());
  for (const auto& tensor : value_infos_) add(tensor.get());
  for (const auto& node : nodes_) {
    for (Tensor* tensor : node->inputs()) add(tensor);
    for (Tensor* tensor : node->outputs()) add(tensor);
  }
  for (const auto& tensor : outputs_) add(tensor.get());
  return map;
}

TensorMap Graph::tensors(bool check_duplicates, polygraphy::Logger* logger) const {
  TensorMap map;
  map.reserve(inputs_.size() + 2 * nodes_.size());
  const auto add = [&](Tensor* tensor) {
    if (tensor->is_empty()) return;
    const Tensor* const other = map.set(tensor->name(), tensor);
    if (!other || other == tensor || (!check_duplicates && !logger)) return;
    const auto producer = [](const Tensor& t) {
      const Node* node = t.producer();
      return node ? "'" + std::string(node->name()) + "' (" + std::string(node->op()) + ")"
                  : std::string("nothing");
    };
    const std::string text = "graph '" + std::string(name_) + "' has distinct tensors named '" +
                             std::string(tensor->name()) + "', produced by " + producer(*other) +
                             " and by " + producer(*tensor);
    if (check_duplicates) throw polygraphy::Error(text, "Rename one of them.");
    logger->warning(polygraphy::log_modules::kGraph, text);
  };
  for (const TensorRef& tensor : inputs_) add(tensor.get());
  for (const NodeRef& node : nodes_) {
    for (Tensor* tensor : node->inputs()) add(tensor);
    for (Tensor* tensor : node->outputs()) add(tensor);
  }
  for (const TensorRef& tensor : outputs_) add(tensor.get());
  return map;
}

std::vector<GraphRef> Graph::subgraphs(bool recursive) const {
  std::vector<GraphRef> graphs;
  for (const NodeRef& node : nodes_) {
    if (!node->has_subgraphs()) continue;
    const auto held = recursive ? node->subgraphs_recursive() : node->subgraphs();
    graphs.insert(graphs.end(), held.begin(), held.end());
  }
  return graphs;
}

// --- functions

struct Function::Signature {
  std::vector<std::string_view> required_attributes;
  std::vector<Attribute> default_attributes;
  std::vector<OpsetImport> opset_imports;
};

Function::Function(Store& store) : Graph(store, sizeof(Function)) {}
Function::~Function() = default;

FunctionRef Function::create(Store& store, std::string_view name, std::string_view domain) {
  FunctionRef function(GraphAccess::create_function(store));
  GraphAccess::set_names(*function, store.keep(name), {});
  GraphAccess::set_identity(*function, store.keep(domain), {});
  store.edited();
  return function;
}

namespace {

bool same_tensor(const TensorValue& a, const TensorValue& b) {
  return a.values == b.values && a.name == b.name && a.unknown_fields == b.unknown_fields;
}

// Compares payloads and graphs by identity: true if unchanged. (False for a NaN, which is then
// encoded again.)
bool same_value(const decltype(Attribute::value)& a, const decltype(Attribute::value)& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& x) {
        const auto& y = std::get<std::decay_t<decltype(x)>>(b);
        if constexpr (std::is_same_v<std::decay_t<decltype(x)>, TensorValue>) {
          return same_tensor(x, y);
        } else if constexpr (std::is_same_v<std::decay_t<decltype(x)>, std::vector<TensorValue>>) {
          return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_tensor);
        } else {
          return x == y;
        }
      },
      a);
}

bool same_attribute(const Attribute& a, const Attribute& b) {
  return a.name == b.name && a.type == b.type && a.ref_attr_name == b.ref_attr_name &&
         a.encoded == b.encoded && a.unknown_fields == b.unknown_fields && a.typed == b.typed &&
         same_value(a.value, b.value);
}

}  // namespace

bool Function::signature_untouched() const {
  return loaded_ && loaded_->required_attributes == required_attributes &&
         loaded_->opset_imports == opset_imports &&
         std::equal(loaded_->default_attributes.begin(), loaded_->default_attributes.end(),
                    default_attributes.begin(), default_attributes.end(), same_attribute);
}

Graph* GraphAccess::create_graph(Store& store) {
  return new (store.allocate(sizeof(Graph))) Graph(store, sizeof(Graph));
}

Function* GraphAccess::create_function(Store& store) {
  return new (store.allocate(sizeof(Function))) Function(store);
}

void GraphAccess::remember_signature(Function& f) {
  f.loaded_ = std::make_unique<const Function::Signature>(
      Function::Signature{f.required_attributes, f.default_attributes, f.opset_imports});
}

// --- models

struct Model::Header {
  int64_t ir_version, model_version;
  bool has_model_version;
  std::vector<OpsetImport> opset_imports;
  std::string producer_name, producer_version, domain, doc_string, unknown_fields;
  std::vector<std::pair<std::string, std::string>> metadata;
  const Graph* graph;  // compared, never followed
  std::vector<const Function*> functions;
};

void Model::remember_as_loaded() {
  std::vector<const Function*> all;
  all.reserve(functions.size());
  for (const FunctionRef& function : functions) all.push_back(function.get());
  loaded_header = std::make_shared<const Header>(Header{
      ir_version, model_version, has_model_version, opset_imports, producer_name, producer_version,
      domain, doc_string, unknown_fields, metadata, graph.get(), std::move(all)});
  edits_when_loaded = graph->store().edits();
}

std::optional<int64_t> Model::opset() const {
  return imported_version(opset_imports, {});
}

void Model::set_opset(int64_t version, std::string_view of_domain) {
  const auto set = [&](std::vector<OpsetImport>& imports) {
    bool found = false;
    for (OpsetImport& import : imports) {
      if (!same_domain(import.domain, of_domain)) continue;
      import.version = version;
      found = true;
    }
    return found;
  };
  if (!set(opset_imports)) opset_imports.push_back({std::string(of_domain), version, {}});
  for (const FunctionRef& function : functions) set(function->opset_imports);
}

bool Model::untouched() const {
  if (!loaded_header || !graph || loaded_bytes.data() == nullptr) return false;
  const Header& h = *loaded_header;
  if (h.graph != graph.get() || graph->store().edits() != edits_when_loaded) return false;
  if (h.ir_version != ir_version || h.model_version != model_version ||
      h.has_model_version != has_model_version || h.opset_imports != opset_imports ||
      h.producer_name != producer_name || h.producer_version != producer_version ||
      h.domain != domain || h.doc_string != doc_string || h.unknown_fields != unknown_fields ||
      h.metadata != metadata) {
    return false;
  }
  return std::equal(h.functions.begin(), h.functions.end(), functions.begin(), functions.end(),
                    [](const Function* then, const FunctionRef& now) {
                      return then == now.get() && now->signature_untouched();
                    });
}

void abandon(Model&& model) {
  struct Abandoned {
    Model model;
    Abandoned* previous;
  };
  static std::atomic<Abandoned*> last{nullptr};
  auto* entry = new Abandoned{std::move(model), last.load()};
  while (!last.compare_exchange_weak(entry->previous, entry)) {
  }
}

}  // namespace graphsurgeon
