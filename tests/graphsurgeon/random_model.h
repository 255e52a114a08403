// Random models for property tests: subgraphs that capture, functions, omitted optional inputs,
// names that sibling scopes share, initializers that are inputs or outputs, constants in no list.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "graphsurgeon/graphsurgeon.h"

namespace graphsurgeon {

class RandomModel {
 public:
  RandomModel(uint32_t seed, int nodes) : random_(seed), nodes_(nodes) {}

  Model make() {
    model_ = make_model({.opset = 18});
    Graph& g = *model_.graph;
    for (const char* name : {"inner", "outer"}) add_function(name);
    for (int i = 0; i < 3; ++i) {
      g.mutable_inputs().push_back(g.variable("in" + std::to_string(i), DataType::kFloat32, {2}));
    }
    condition_ = g.variable("condition", DataType::kBool, DimList{});
    g.mutable_inputs().push_back(condition_);
    const TensorRef both = constant(g, "default");
    g.mutable_initializers().push_back(both);
    g.mutable_inputs().push_back(both);
    std::vector<TensorRef> visible(g.inputs().begin(), g.inputs().begin() + 3);
    visible.push_back(both);
    fill(g, visible, nodes_, 2);
    std::vector<TensorRef> outputs{visible.back()};
    if (chance(2)) outputs.push_back(visible[5 % visible.size()]);
    if (chance(3)) {
      outputs.push_back(constant(g, "constant_output"));
      g.mutable_initializers().push_back(outputs.back());
    }
    for (const TensorRef& t : outputs) {
      if (!t->is_constant()) t->set_dtype(DataType::kFloat32);
      if (!t->is_constant()) t->set_shape(DimList{2});
    }
    g.mutable_outputs() = outputs;
    return std::move(model_);
  }

 private:
  bool chance(int of) { return random_() % static_cast<uint32_t>(of) == 0; }
  size_t below(size_t n) { return random_() % n; }

  TensorRef constant(Graph& g, const std::string& name) {
    const auto value = static_cast<float>(below(10));
    return g.constant(name, Array::of<float>({2}, {value, value + 1}));
  }

  // The body of a function may call those made before it.
  void add_function(const std::string& name) {
    const FunctionRef f = make_function(model_, {.name = name, .domain = "own"});
    const TensorRef a = f->variable("a"), b = f->variable("b");
    f->mutable_inputs() = {a, b};
    std::vector<TensorRef> visible{a, b};
    for (int i = 0; i < 4; ++i) {
      Layer layer{.op = "Add", .inputs = {any(visible), any(visible)}, .outputs = {"t"}};
      if (chance(3)) layer.inputs[1] = constant(*f, "c" + std::to_string(i));
      if (name == "outer" && chance(2))
        layer = {.op = "inner", .inputs = layer.inputs, .outputs = {"t"}, .domain = "own"};
      visible.emplace_back(f->layer(layer)[0]);
    }
    f->mutable_outputs() = {visible.back()};
    f->opset_imports.push_back({"own", 1, {}});
  }

  const TensorRef& any(const std::vector<TensorRef>& visible) {
    return visible[below(visible.size())];
  }

  void fill(Graph& g, std::vector<TensorRef>& visible, int nodes, int depth) {
    for (int i = 0; i < nodes; ++i) {
      const TensorRef a = any(visible), b = any(visible);
      switch (below(depth > 0 ? 8 : 6)) {
        case 0:
          visible.emplace_back(g.layer({.op = "Neg", .inputs = {a}, .outputs = {"t"}})[0]);
          break;
        case 1:  // the last input, or the one before it, is omitted
          visible.emplace_back(
              g.layer({.op = "Clip", .inputs = {a, {}, 6.f}, .outputs = {"t"}})[0]);
          break;
        case 2:  // a constant that no list has
          visible.emplace_back(g.layer(
              {.op = "Mul", .inputs = {a, constant(g, unique("weight"))}, .outputs = {"t"}})[0]);
          break;
        case 3:
          visible.emplace_back(
              g.layer({.op = "outer", .inputs = {a, b}, .outputs = {"t"}, .domain = "own"})[0]);
          break;
        case 4: {  // one of two outputs is used
          TensorList& parts = g.layer({.op = "Dropout", .inputs = {a}, .outputs = {"t", "mask"}});
          visible.emplace_back(parts[0]);
          break;
        }
        case 5:
          visible.emplace_back(g.layer({.op = "Add", .inputs = {a, b}, .outputs = {"t"}})[0]);
          break;
        default:
          visible.emplace_back(g.layer({.op = "If",
                                        .inputs = {condition_},
                                        .outputs = {"t"},
                                        .attrs = {{"then_branch", branch(g, visible, depth)},
                                                  {"else_branch", branch(g, visible, depth)}}})[0]);
      }
    }
  }

  // Its tensors have the names that its siblings' have.
  GraphRef branch(Graph& outer, const std::vector<TensorRef>& visible, int depth) {
    const GraphRef g = make_subgraph(outer, "branch");
    std::vector<TensorRef> inside = visible;
    fill(*g, inside, 1 + static_cast<int>(below(3)), depth - 1);
    TensorRef result(
        g->layer({.op = "Identity", .inputs = {inside.back()}, .outputs = {"result"}})[0]);
    // Names of one model do not hide each other.
    const std::string prefix = "level" + std::to_string(depth) + "_" + unique("");
    for (const NodeRef& node : g->nodes()) {
      for (Tensor* t : node->outputs()) t->set_name(prefix + std::string(t->name()));
      for (Tensor* t : node->inputs()) {
        if (t->is_constant() && t->name().starts_with("onnx_")) {
          t->set_name(prefix + std::string(t->name()));
        }
      }
    }
    g->mutable_outputs() = {result};
    return g;
  }

  std::string unique(const char* stem) { return stem + std::to_string(counter_++); }

  std::mt19937 random_;
  int nodes_;
  int counter_ = 0;
  Model model_;
  TensorRef condition_;
};

}  // namespace graphsurgeon
