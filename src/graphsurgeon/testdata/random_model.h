// Random models for property tests and fuzzing: typed operators of a table, subgraphs that capture,
// loops, functions, omitted optional inputs, names that sibling scopes share, initializers that are
// inputs or outputs, constants in no list, open dimensions.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graphsurgeon/graphsurgeon.h"

namespace graphsurgeon {

// Chooses a number less than the argument, which is not 0.
using Choose = std::function<size_t(size_t)>;

inline Choose chosen_by_seed(uint32_t seed) {
  return [random = std::mt19937(seed)](size_t n) mutable { return random() % n; };
}

// One letter per input and output: f float32, i int64, b bool. Upper case: the input may be
// omitted.
struct RandomOperator {
  std::string_view op, inputs, outputs;
  std::vector<NamedArg> attrs = {};
};

inline const std::vector<RandomOperator>& random_operators() {
  static const std::vector<RandomOperator> all = {
      {"Neg", "f", "f"},
      {"Clip", "fFF", "f"},
      {"Dropout", "f", "fb"},  // one of two outputs is used
      {"Add", "ff", "f"},
      {"Add", "ii", "i"},
      {"Sub", "ii", "i"},
      {"Mul", "ff", "f"},
      {"Mul", "ii", "i"},
      {"Div", "ii", "i"},
      {"Mod", "ii", "i"},
      {"Max", "ii", "i"},
      {"Min", "fff", "f"},
      {"Abs", "i", "i"},
      {"Floor", "f", "f"},
      {"MatMul", "ff", "f"},
      {"Gemm", "ffF", "f", {{"transB", 1}}},
      {"Relu", "f", "f"},
      {"Softmax", "f", "f", {{"axis", -1}}},
      {"Identity", "f", "f"},
      {"Identity", "i", "i"},
      {"Cast", "f", "i", {{"to", DataType::kInt64}}},
      {"Cast", "i", "f", {{"to", DataType::kFloat32}}},
      {"Cast", "i", "b", {{"to", DataType::kBool}}},
      {"Cast", "f", "f", {{"to", DataType::kFloat32}}},
      {"Shape", "f", "i"},
      {"Shape", "i", "i", {{"start", -2}, {"end", 1}}},
      {"Size", "f", "i"},
      {"Gather", "ii", "i", {{"axis", 0}}},
      {"Gather", "fi", "f", {{"axis", -1}}},
      {"Slice", "iiiII", "i"},
      {"Slice", "fiiII", "f"},
      {"Concat", "ii", "i", {{"axis", 0}}},
      {"Concat", "fff", "f", {{"axis", -1}}},
      {"Split", "iI", "ii", {{"axis", 0}}},
      {"Split", "f", "ff", {{"num_outputs", 2}}},
      {"Reshape", "fi", "f"},
      {"Reshape", "ii", "i", {{"allowzero", 1}}},
      {"Flatten", "f", "f", {{"axis", 1}}},
      {"Squeeze", "iI", "i"},
      {"Unsqueeze", "ii", "i"},
      {"Unsqueeze", "fi", "f"},
      {"Expand", "fi", "f"},
      {"Expand", "ii", "i"},
      {"Tile", "ii", "i"},
      {"ConstantOfShape", "i", "f"},
      {"Range", "iii", "i"},
      {"Where", "bii", "i"},
      {"Where", "bff", "f"},
      {"Equal", "ii", "b"},
      {"Greater", "ff", "b"},
      {"And", "bb", "b"},
      {"Not", "b", "b"},
      {"NonZero", "b", "i"},
      {"ReduceSum", "iI", "i", {{"keepdims", 0}}},
      {"ReduceProd", "iI", "i"},
      {"ReduceMax", "fI", "f", {{"noop_with_empty_axes", 1}}},
      {"Transpose", "f", "f"},
      {"Transpose", "f", "f", {{"perm", {1, 0}}}},
      {"ScatterND", "iii", "i"},
      {"Pad", "fiF", "f"},
      {"TopK", "fi", "fi"},
  };
  return all;
}

class RandomModel {
 public:
  RandomModel(uint32_t seed, int nodes) : RandomModel(chosen_by_seed(seed), nodes) {}
  RandomModel(Choose choose, int nodes) : choose_(std::move(choose)), nodes_(nodes) {}

  Model make() {
    model_ = make_model({.opset = 18});
    Graph& g = *model_.graph;
    for (const char* name : {"inner", "outer"}) add_function(name);
    Pool visible;
    for (const char kind : {'f', 'f', 'i', 'b'}) {
      const std::string name = unique("in");
      const DimList shape = kind == 'b' ? DimList{} : any_shape();
      visible.push_back({g.variable(name, type_of(kind), shape), kind});
      g.mutable_inputs().push_back(visible.back().tensor);
    }
    const TensorRef both = constant(g, 'f');
    g.mutable_initializers().push_back(both);
    g.mutable_inputs().push_back(both);
    visible.push_back({both, 'f'});
    fill(g, visible, nodes_, 2);
    std::vector<TensorRef> outputs{visible.back().tensor};
    if (chance(2)) outputs.push_back(visible[choose_(visible.size())].tensor);
    if (outputs.back() == outputs.front()) outputs.resize(1);
    if (chance(3)) {
      outputs.push_back(constant(g, 'i'));
      g.mutable_initializers().push_back(outputs.back());
    }
    for (const TensorRef& t : outputs) {
      for (const Value& value : visible) {
        if (value.tensor == t && !t->is_constant()) t->set_dtype(type_of(value.kind));
      }
    }
    g.mutable_outputs() = outputs;
    return std::move(model_);
  }

 private:
  struct Value {
    TensorRef tensor;
    char kind;
  };
  using Pool = std::vector<Value>;

  bool chance(size_t of) { return choose_(of) == of - 1; }

  static DataType type_of(char kind) {
    return kind == 'f' ? DataType::kFloat32 : kind == 'i' ? DataType::kInt64 : DataType::kBool;
  }

  DimList any_shape() {
    static const std::vector<DimList> shapes = {{2},          {},     {"N"},     {"N", 3},
                                                {int64_t{0}}, {2, 3}, {1, Dim()}};
    return shapes[choose_(shapes.size())];
  }

  TensorRef constant(Graph& g, char kind) {
    static const std::vector<Shape> shapes = {{2}, {}, {1}, {3}, {0}, {2, 1}};
    static const std::vector<int64_t> numbers = {0,
                                                 1,
                                                 2,
                                                 3,
                                                 -1,
                                                 -2,
                                                 7,
                                                 std::numeric_limits<int64_t>::max(),
                                                 std::numeric_limits<int64_t>::min()};
    const Shape& shape = shapes[choose_(shapes.size())];
    const auto count = static_cast<size_t>(polygraphy::element_count(shape));
    std::vector<int64_t> values(count);
    for (int64_t& value : values) value = numbers[choose_(numbers.size())];
    Array array = Array::of<int64_t>(shape, values);
    if (kind != 'i') array = polygraphy::convert(array, type_of(kind));
    return g.constant(unique("constant"), array);
  }

  TensorRef any(Graph& g, const Pool& visible, char kind) {
    if (!chance(4)) {
      const size_t first = choose_(visible.size());
      for (size_t i = 0; i < visible.size(); ++i) {
        const Value& value = visible[(first + i) % visible.size()];
        if (value.kind == kind) return value.tensor;
      }
    }
    return constant(g, kind);  // which no list has
  }

  // The body of a function may call those made before it.
  void add_function(const std::string& name) {
    const FunctionRef f = make_function(model_, {.name = name, .domain = "own"});
    const TensorRef a = f->variable("a"), b = f->variable("b");
    f->mutable_inputs() = {a, b};
    Pool visible{{a, 'f'}, {b, 'f'}};
    fill(*f, visible, 4, 1);
    while (visible.back().kind != 'f') visible.pop_back();
    f->mutable_outputs() = {visible.back().tensor};
    f->opset_imports.push_back({"own", 1, {}});
    callable_ = name;
  }

  void fill(Graph& g, Pool& visible, int nodes, int depth) {
    for (int i = 0; i < nodes; ++i) {
      const size_t choice = choose_(10);
      if (choice == 7 && !callable_.empty()) {
        append(g, visible, {callable_, "ff", "f"}, "own");
      } else if (choice == 8 && depth > 0) {
        add_if(g, visible, depth);
      } else if (choice == 9 && depth > 0) {
        add_loop(g, visible, depth);
      } else {
        append(g, visible, random_operators()[choose_(random_operators().size())]);
      }
    }
  }

  void append(Graph& g, Pool& visible, const RandomOperator& what, std::string_view domain = {}) {
    Layer layer{.op = what.op, .attrs = what.attrs, .domain = domain};
    for (const char kind : what.inputs) {
      const bool is_optional = kind < 'a';
      if (is_optional && chance(2)) {
        layer.inputs.emplace_back();
      } else {
        layer.inputs.emplace_back(
            any(g, visible, is_optional ? static_cast<char>(kind - 'A' + 'a') : kind));
      }
    }
    for (size_t i = 0; i < what.outputs.size(); ++i) layer.outputs.emplace_back("t");
    const TensorList& outputs = g.layer(layer);
    for (size_t i = 0; i < what.outputs.size(); ++i) {
      visible.push_back({TensorRef(outputs[i]), what.outputs[i]});
    }
  }

  void add_if(Graph& g, Pool& visible, int depth) {
    const char kind = chance(2) ? 'i' : 'f';
    Layer layer{.op = "If", .inputs = {any(g, visible, 'b')}, .outputs = {"t"}};
    for (const char* name : {"then_branch", "else_branch"}) {
      const GraphRef branch = make_subgraph(g, name);
      Pool inside = visible;
      finish(*branch, inside, {{any(g, visible, kind), kind}}, depth);
      layer.attrs.push_back({name, branch});
    }
    visible.push_back({TensorRef(g.layer(layer)[0]), kind});
  }

  void add_loop(Graph& g, Pool& visible, int depth) {
    const GraphRef body = make_subgraph(g, "body");
    const std::string name = unique("loop");
    Pool inside = visible;
    for (const char kind : {'i', 'b', 'f'}) {
      const DimList shape = kind == 'f' ? any_shape() : DimList{};
      inside.push_back({body->variable(name + kind, type_of(kind), shape), kind});
      body->mutable_inputs().push_back(inside.back().tensor);
    }
    finish(*body, inside, {inside[inside.size() - 2], inside.back(), inside.back()}, depth);
    TensorList& results =
        g.layer({.op = "Loop",
                 .inputs = {any(g, visible, 'i'), any(g, visible, 'b'), any(g, visible, 'f')},
                 .outputs = {"t", "t"},
                 .attrs = {{"body", body}}});
    for (Tensor* result : results) visible.push_back({TensorRef(result), 'f'});
  }

  // Nodes, and outputs of the kinds of `defaults`. Names of one model do not hide each other.
  void finish(Graph& g, Pool& inside, const Pool& defaults, int depth) {
    fill(g, inside, 1 + static_cast<int>(choose_(3)), depth - 1);
    for (const Value& value : defaults) {
      const bool is_new = inside.back().kind == value.kind && chance(2);
      const TensorRef source = is_new ? inside.back().tensor : value.tensor;
      Layer layer{.op = "Identity", .inputs = {source}, .outputs = {"result"}};
      g.mutable_outputs().emplace_back(g.layer(layer)[0]);
      g.outputs().back()->set_dtype(type_of(value.kind));
    }
    const std::string prefix = unique("level");
    for (const NodeRef& node : g.nodes()) {
      for (Tensor* t : node->outputs()) t->set_name(prefix + std::string(t->name()));
    }
  }

  std::string unique(const char* stem) { return stem + std::to_string(counter_++); }

  Choose choose_;
  int nodes_;
  int counter_ = 0;
  Model model_;
  std::string callable_;  // the function that further nodes may call
};

// The main graph, the functions, and the graphs nested in each, outer before inner.
inline std::vector<GraphRef> graphs_of(const Model& model) {
  std::vector<GraphRef> graphs{model.graph};
  for (const FunctionRef& function : model.functions) graphs.emplace_back(function.get());
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (const GraphRef& inner : graphs[i]->subgraphs()) graphs.push_back(inner);
  }
  return graphs;
}

}  // namespace graphsurgeon
