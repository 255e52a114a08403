#include "graphsurgeon/ir/layer.h"

#include <string>

#include "base/error.h"
#include "graphsurgeon/ir/access.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/name_index.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kConstantPrefix = "onnx_graphsurgeon_constant";
constexpr std::string_view kListPrefix = "onnx_graphsurgeon_lst_constant";
constexpr std::string_view kNodePrefix = "onnx_graphsurgeon_node";

template <typename... T>
bool holds_any_of(const Arg::Value& value) {
  return (std::holds_alternative<T>(value) || ...);
}

// Before anything is made, throws for arguments that cannot be an input or output.
void check(const Layer& layer, const std::vector<Arg>& args, const char* side) {
  const auto refuse = [&](size_t i, std::string_view what) {
    throw polygraphy::Error(
        std::string(side) + ' ' + std::to_string(i) + " of the new node '" +
            std::string(layer.name.value_or("")) + "' (" + std::string(layer.op) + ") is " +
            std::string(what),
        "Give tensors, texts (for new tensors), arrays, numbers or lists of numbers.");
  };
  for (size_t i = 0; i < args.size(); ++i) {
    const Arg::Value& value = args[i].value();
    if (const auto* tensor = std::get_if<TensorRef>(&value)) {
      if (!*tensor) refuse(i, "a null tensor");
    } else if (const auto* list = std::get_if<std::vector<TensorRef>>(&value)) {
      for (const TensorRef& t : *list) {
        if (!t) refuse(i, "a list with a null tensor");
      }
    } else if (const auto* payload = std::get_if<PayloadPtr>(&value)) {
      if (!*payload) refuse(i, "a null payload");
    } else if (const auto* array = std::get_if<Array>(&value)) {
      if (array->empty()) refuse(i, "an array without type");
    } else if (holds_any_of<std::vector<std::string>, GraphRef, std::vector<GraphRef>, DataType,
                            AttributeRef, Attribute>(value)) {
      refuse(i, args[i].kind());
    }
  }
}

Array integers(Shape shape, const std::vector<int64_t>& values) {
  return Array::of<int64_t>(std::move(shape), values);
}

Array floats(Shape shape, const std::vector<double>& values) {
  const std::vector<float> narrow(values.begin(), values.end());
  return Array::of<float>(std::move(shape), narrow);
}

class Ends {
 public:
  Ends(Graph& graph, NameIndex& names) : graph_(graph), names_(names) {}

  // The names of given tensors are not free for new ones, wherever these stand.
  void use_given(const std::vector<Arg>& args) {
    for (const Arg& arg : args) {
      const Arg::Value& value = arg.value();
      if (const auto* tensor = std::get_if<TensorRef>(&value)) use(**tensor);
      if (const auto* list = std::get_if<std::vector<TensorRef>>(&value)) {
        for (const TensorRef& t : *list) use(*t);
      }
    }
  }

  std::vector<TensorRef> make(const std::vector<Arg>& args) {
    std::vector<TensorRef> made;
    made.reserve(args.size());
    for (const Arg& arg : args) {
      const Arg::Value& value = arg.value();
      if (const auto* tensor = std::get_if<TensorRef>(&value)) {
        made.push_back(*tensor);
      } else if (const auto* list = std::get_if<std::vector<TensorRef>>(&value)) {
        made.insert(made.end(), list->begin(), list->end());
      } else if (const auto* text = std::get_if<std::string>(&value)) {
        made.emplace_back(TensorAccess::create(graph_.store(), names_.new_tensor_name(*text)));
      } else if (const auto* array = std::get_if<Array>(&value)) {
        made.push_back(constant(kConstantPrefix, owned_payload(*array)));
      } else if (const auto* payload = std::get_if<PayloadPtr>(&value)) {
        made.push_back(constant(kConstantPrefix, *payload));
      } else if (arg.omitted()) {
        made.push_back(Tensor::empty(graph_.store()));
      } else {
        made.push_back(constant(kListPrefix, owned_payload(numbers(value))));
      }
    }
    return made;
  }

  std::vector<TensorRef> constants;  // new ones

 private:
  void use(const Tensor& tensor) {
    Store& store = graph_.store();
    names_.add_tensor(&tensor.store() == &store ? tensor.name() : store.keep(tensor.name()));
  }
  TensorRef constant(std::string_view prefix, PayloadPtr values) {
    TensorRef tensor(TensorAccess::create(graph_.store(), names_.new_tensor_name(prefix)));
    TensorAccess::set_payload(*tensor, std::move(values));
    constants.push_back(tensor);
    return tensor;
  }
  static Array numbers(const Arg::Value& value) {
    if (const auto* number = std::get_if<int64_t>(&value)) return integers({}, {*number});
    if (const auto* number = std::get_if<double>(&value)) return floats({}, {*number});
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) {
      return integers({static_cast<int64_t>(list->size())}, *list);
    }
    const auto& list = std::get<std::vector<double>>(value);
    return floats({static_cast<int64_t>(list.size())}, list);
  }

  Graph& graph_;
  NameIndex& names_;
};

}  // namespace

NameIndex& Graph::names() {
  if (!names_) {
    names_ = std::make_unique<NameIndex>(*this);
  } else {
    names_->refresh(lists_edited_);
  }
  lists_edited_ = false;
  return *names_;
}

TensorList& Graph::layer(const Layer& layer) {
  check(layer, layer.inputs, "input");
  check(layer, layer.outputs, "output");
  std::vector<Attribute> attributes;
  attributes.reserve(layer.attrs.size());
  for (const NamedArg& attr : layer.attrs) {
    attributes.push_back(make_attribute(store(), attr.name, attr.value));
  }
  NameIndex& names = this->names();
  Ends ends(*this, names);
  ends.use_given(layer.inputs);
  ends.use_given(layer.outputs);
  const std::vector<TensorRef> inputs = ends.make(layer.inputs);
  const std::vector<TensorRef> outputs = ends.make(layer.outputs);
  const std::string_view name =
      layer.name ? store().keep(*layer.name) : names.new_node_name(kNodePrefix);
  if (layer.name) names.add_node(name);

  NodeRef node(NodeAccess::create(store()));
  NodeAccess::set_names(*node, store().intern(layer.op), name,
                        layer.domain.empty() ? std::string_view() : store().intern(layer.domain));
  for (Attribute& attribute : attributes) node->set_attribute(std::move(attribute));
  node->inputs().reserve(inputs.size());
  for (const TensorRef& tensor : inputs) NodeAccess::append(node->inputs(), tensor.get());
  node->outputs().reserve(outputs.size());
  for (const TensorRef& tensor : outputs) NodeAccess::append(node->outputs(), tensor.get());
  initializers_.insert(initializers_.end(), ends.constants.begin(), ends.constants.end());
  names.added_node(ends.constants.size());
  lists_edited_ |= node->has_subgraphs();  // their names are to be read, too
  store().edited();
  return nodes_.emplace_back(std::move(node))->outputs();
}

NodeRef Graph::insert(size_t position, NodeRef node) {
  if (!node || position > nodes_.size()) {
    throw polygraphy::Error(node ? "the graph has " + std::to_string(nodes_.size()) +
                                       " nodes, but no position " + std::to_string(position)
                                 : "a null node cannot be added to a graph");
  }
  if (names_ && !lists_edited_ && &node->store() == &store() && !node->has_subgraphs()) {
    names_->refresh(false);
    const auto add = [&](const Tensor& t) {
      names_->add_tensor(&t.store() == &store() ? t.name() : store().keep(t.name()));
    };
    for (const Tensor* tensor : node->inputs()) add(*tensor);
    for (const Tensor* tensor : node->outputs()) add(*tensor);
    names_->add_node(node->name());
    names_->added_node(0);
  } else {
    lists_edited_ = true;
  }
  store().edited();
  return *nodes_.insert(nodes_.begin() + static_cast<std::ptrdiff_t>(position), std::move(node));
}

NodeRef Graph::append(NodeRef node) {
  return insert(nodes_.size(), std::move(node));
}

}  // namespace graphsurgeon
