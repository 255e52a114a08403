// The facts inferred so far about the tensors of one body: of a model's graphs, or of one call of a
// function. Only for the sources of this library.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/onnx/inference/op_table.h"
#include "graphsurgeon/sizes/known_values.h"

namespace google::protobuf {
class Arena;
}
namespace onnx {
class SymbolTable;
class TensorProto;
class TypeProto;
}  // namespace onnx

namespace graphsurgeon {

// Facts are per Tensor object: a subgraph sees the facts of the graphs around it. Messages that are
// handed out live on the arena.
class Body {
 public:
  enum class Types {
    kInTensors,  // inferred types are written into the tensors and are the facts
    kBeside,     // inferred types are kept here; declared types of tensors count
    kOfCall,     // inferred types are kept here; declared types are ignored
  };
  // Attributes that a call hands over, by the name of the parameter.
  using Arguments = std::unordered_map<std::string_view, const Attribute*>;

  // All outlive the body. `arguments`: of a call.
  Body(Types types, OpTable& ops, google::protobuf::Arena& arena,
       const Arguments* arguments = nullptr)
      : types_(types), ops_(&ops), arena_(arena), arguments_(arguments) {}
  // For temporary assumptions: knows the facts of `outer`, and adds none to it.
  struct Assumptions {
    const Body& outer;
  };
  explicit Body(Assumptions on)
      : types_(on.outer.types_ == Types::kInTensors ? Types::kBeside : on.outer.types_),
        ops_(on.outer.ops_),
        arena_(on.outer.arena_),
        arguments_(on.outer.arguments_),
        has_open_references_(on.outer.has_open_references_),
        outer_(&on.outer) {}
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  google::protobuf::Arena& arena() const { return arena_; }
  const OpEntry& op(const Node& node) { return ops_->find(node.op(), node.domain()); }
  // For the nodes of a function that is looked at apart from its calls: its operators, and
  // references to attributes have no value.
  void look_at_function(OpTable& ops) {
    ops_ = &ops;
    has_open_references_ = true;
  }

  // The parameter of a function has the caller's value, or is absent.
  void bind(const Tensor& parameter, Body& caller, Tensor& argument);
  void bind_absent(const Tensor& parameter);
  bool is_absent(const Tensor& tensor) const;

  // The attribute with that name, the caller's if it is a reference; null if it is missing.
  const Attribute* attribute(const Node& node, std::string_view name) const;
  const Attribute* resolved(const Attribute& attribute) const;
  // An attribute is a reference to a value that only callers know.
  bool waits_for_caller(const Node& node) const;

  // Names for dimensions of a tensor that has no producer; those that it declares count more.
  void name_dims(const Tensor& tensor, const DimList& names) { names_[&tensor] = names; }

  // Null when nothing is known.
  const onnx::TypeProto* type(const Tensor& tensor);
  // Null when the values are not known in full, or are data (value_message.h).
  const onnx::TensorProto* values(const Tensor& tensor);
  // The elements as far as they are known, in the shape of the tensor; unknown ones where it is
  // small and nothing else is known. nullopt: not small, or its shape is open.
  std::optional<KnownValues> known_values(const Tensor& tensor);
  // Elements of a tensor of rank 0 or 1 as far as they are known; null when nothing is. Valid until
  // the next call; `scratch` may hold the result.
  const DimList* elements(const Tensor& tensor, DimList& scratch);
  // The elements from set_elements().
  const DimList* told_elements(const Tensor& tensor);
  void set_elements(Tensor& tensor, DimList elements);

  // Throws onnx::InferenceError when `found` contradicts the facts.
  void check(const Tensor& tensor, const onnx::TypeProto& found);
  // The same, and refines the facts by `found`, which is consumed. Unnamed dimensions get fresh
  // names. Returns whether a tensor was changed.
  bool learn(Tensor& tensor, onnx::TypeProto& found, onnx::SymbolTable& symbols);

  bool has_unknown_op = false;
  std::unordered_set<const Graph*> visited;  // below the node that is being inferred

 private:
  struct Fact {
    TensorRef kept;  // the key is this object for as long as there is a fact about it
    onnx::TypeProto* type = nullptr;
    Body* home = nullptr;  // of `argument`
    Tensor* argument = nullptr;
    bool is_absent = false;
    std::unique_ptr<DimList> elements;
  };
  const Fact* find(const Tensor& tensor) const {
    if (!facts_.empty()) {
      const auto found = facts_.find(&tensor);
      if (found != facts_.end()) return &found->second;
    }
    return outer_ != nullptr ? outer_->find(tensor) : nullptr;
  }
  const DimList* names_of(const Tensor& tensor) const;
  onnx::TypeProto* own_type(const Tensor& tensor, const Fact* fact) const;
  const Node* constant_node(const Tensor& tensor) const;
  const onnx::TensorProto* values_of(const Node& constant) const;
  std::optional<KnownValues> constant_values_of(const Tensor& tensor) const;
  bool append_elements_of(const Node& constant, DimList& out) const;

  Types types_;
  OpTable* ops_;
  google::protobuf::Arena& arena_;
  const Arguments* arguments_;
  bool has_open_references_ = false;
  const Body* outer_ = nullptr;
  std::unordered_map<const Tensor*, Fact> facts_;
  std::unordered_map<const Tensor*, DimList> names_;
};

}  // namespace graphsurgeon
