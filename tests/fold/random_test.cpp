// Random graphs of shape arithmetic: with open dimensions, constants, functions, branches, and
// tensors of outer graphs. Folded or not, ONNX Runtime computes the same of them, bit by bit.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "built_runtime.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/passes/cleanup.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/model_tools/surgeon/verification/output_agreement.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/onnxrt_evaluator.h"

namespace polygraphy {
namespace {

using graphsurgeon::FoldOptions;
using graphsurgeon::Model;

// Writes a model in text form. Vectors are int64 of a known length; every value stays below 1000,
// so that no way through float32 rounds it.
class Writer {
 public:
  explicit Writer(uint32_t seed) : random_(seed) {}

  std::string model() {
    vectors_ = {{"n", 2}};
    node("shape = Shape (x)");
    vectors_.push_back({"shape", 3});
    const int steps = 10 + pick(25);
    for (int i = 0; i < steps; ++i) step(true);
    std::string outputs;
    std::string results;
    for (size_t i = 0; i < 6; ++i) {
      const Vector v = i < 3 ? vectors_[vectors_.size() - 1 - i] : any();
      const std::string out = "out" + std::to_string(i);
      results += out + " = Identity (" + v.name + ")\n";
      outputs += (i ? ", " : "") + std::string("int64[") + std::to_string(v.length) + "] " + out;
    }
    return "<ir_version: 8, opset_import: [\"\" : 17, \"my\" : 1]> g (float[N, 3, M] x, int64[2] "
           "n) => (" +
           outputs + ") {\n" + body_ + results + "}\n" +
           "<domain: \"my\", opset_import: [\"\" : 17]> Halve (a) => (b) {\n"
           "two = Constant <value_int = 2> () three = Constant <value_int = 3> ()\n"
           "five = Add (two, three) q = Div (a, two) r = Mod (q, five) b = Add (r, q) }";
  }

 private:
  struct Vector {
    std::string name;
    int length;
  };

  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  const Vector& any() {
    return vectors_[static_cast<size_t>(pick(static_cast<int>(vectors_.size())))];
  }
  void node(const std::string& text) { body_ += text + "\n"; }
  std::string fresh() { return "t" + std::to_string(count_++); }

  std::string constant(const std::vector<int>& values) {
    std::string list;
    for (const int v : values) list += (list.empty() ? "" : ", ") + std::to_string(v);
    const std::string name = fresh();
    node(name + " = Constant <value_ints = [" + list + "]> ()");
    return name;
  }
  // Of the same length, or of one.
  Vector partner(const Vector& v) {
    for (int i = 0; i < 4; ++i) {
      const Vector& other = any();
      if (other.length == v.length || other.length == 1) return other;
    }
    std::vector<int> values;
    for (int i = 0; i < v.length; ++i) values.push_back(pick(6) - 2);
    return {constant(values), v.length};
  }
  // Keeps values small after any operator.
  void add(const std::string& name, int length) {
    const std::string limit = constant({997});
    const std::string small = fresh();
    node(small + " = Mod (" + name + ", " + limit + ")");
    vectors_.push_back({small, length});
  }

  void step(bool may_nest) {
    const Vector a = any();
    const std::string out = fresh();
    switch (pick(may_nest ? 17 : 14)) {
      case 0:
      case 1: {
        static const char* const kOps[] = {"Add", "Sub", "Mul", "Min", "Max"};
        const Vector b = partner(a);
        node(out + " = " + kOps[pick(5)] + " (" + a.name + ", " + b.name + ")");
        return add(out, a.length);
      }
      case 2: {
        const std::string by = constant({pick(2) ? 2 + pick(3) : -2});
        node(out + " = " + (pick(2) ? "Div" : "Mod") + " (" + a.name + ", " + by + ")");
        return add(out, a.length);
      }
      case 3: {
        std::vector<int> at;
        for (int i = 0; i <= pick(3); ++i) at.push_back(pick(2 * a.length) - a.length);
        const std::string indices = constant(at);
        node(out + " = Gather (" + a.name + ", " + indices + ")");
        return add(out, static_cast<int>(at.size()));
      }
      case 4: {
        const int from = pick(a.length);
        const int to = from + 1 + pick(a.length - from);
        const std::string first = constant({from});
        const std::string last = constant({to == a.length && pick(2) ? 1 << 30 : to});
        node(out + " = Slice (" + a.name + ", " + first + ", " + last + ")");
        return add(out, to - from);
      }
      case 5: {
        const Vector b = any();
        if (a.length + b.length > 12) return;
        node(out + " = Concat <axis = 0> (" + a.name + ", " + b.name + ")");
        return add(out, a.length + b.length);
      }
      case 6: {
        static const char* const kOps[] = {"Equal", "Less", "Greater", "GreaterOrEqual",
                                           "LessOrEqual"};
        const Vector b = partner(a);
        const Vector c = partner(a);
        const std::string condition = fresh();
        node(condition + " = " + kOps[pick(5)] + " (" + a.name + ", " + b.name + ")");
        std::string chosen = condition;
        if (pick(3) == 0) {
          chosen = fresh();
          node(chosen + " = Not (" + condition + ")");
        }
        node(out + " = Where (" + chosen + ", " + a.name + ", " + c.name + ")");
        return add(out, a.length);
      }
      case 7: {
        static const char* const kOps[] = {"ReduceProd", "ReduceMax", "ReduceMin"};
        node(out + " = " + kOps[pick(3)] + " (" + a.name + ")");
        return add(out, 1);
      }
      case 8: {
        const std::string floats = fresh();
        const std::string by = fresh();
        const std::string quotient = fresh();
        const std::string whole = fresh();
        node(floats + " = Cast <to = 1> (" + a.name + ")");
        node(by + " = Constant <value_float = " + std::to_string(1 + pick(4)) + ".0> ()");
        node(quotient + " = " + (pick(2) ? "Div" : "Mul") + " (" + floats + ", " + by + ")");
        if (pick(2)) {
          node(whole + " = " + (pick(2) ? "Floor" : "Ceil") + " (" + quotient + ")");
          node(out + " = Cast <to = 7> (" + whole + ")");
        } else {
          node(out + " = Cast <to = 7> (" + quotient + ")");
        }
        return add(out, a.length);
      }
      case 9: {
        const std::string length = fresh();
        node(length + " = Shape (" + a.name + ")");
        node(out + " = ConstantOfShape <value = int64[1] {" + std::to_string(pick(5) - 1) + "}> (" +
             length + ")");
        return add(out, a.length);
      }
      case 10: {
        const std::string half = fresh();
        if (a.length < 2) return;
        const std::string sizes = constant({1, a.length - 1});
        node(out + ", " + half + " = Split <axis = 0> (" + a.name + ", " + sizes + ")");
        add(out, 1);
        return add(half, a.length - 1);
      }
      case 11: {
        const std::string axis = constant({0});
        const std::string row = fresh();
        const std::string column = fresh();
        node(row + " = Unsqueeze (" + a.name + ", " + axis + ")");
        node(column + " = Transpose <perm = [1, 0]> (" + row + ")");
        const std::string all = constant({-1});
        node(out + " = Reshape (" + column + ", " + all + ")");
        return add(out, a.length);
      }
      case 12: {
        const std::string times = constant({2});
        if (a.length > 4) return;
        node(out + " = Tile (" + a.name + ", " + times + ")");
        return add(out, 2 * a.length);
      }
      case 13: {
        node(out + " = " + (pick(2) ? "Neg" : "Abs") + " (" + a.name + ")");
        return add(out, a.length);
      }
      case 14: {
        node(out + " = my.Halve (" + a.name + ")");
        return add(out, a.length);
      }
      default:
        return branch(a, out);
    }
  }

  // The condition is a constant, follows from a dimension, or is read at run time.
  void branch(const Vector& a, const std::string& out) {
    const std::string index = constant({pick(3)});
    const std::string dim = fresh();
    const std::string less = fresh();
    const std::string condition = fresh();
    const std::string limit = constant({3});
    node(dim + " = Gather (shape, " + index + ")");
    node(less + " = " + (pick(2) ? "Less" : "Equal") + " (" + dim + ", " + limit + ")");
    node(condition + " = Squeeze (" + less + ")");
    const std::string outer = std::move(body_);
    const std::vector<Vector> seen = vectors_;
    std::string branches[2];
    for (std::string& text : branches) {
      body_.clear();
      vectors_ = seen;
      for (int i = 0; i < 3; ++i) step(false);
      const Vector result = partner(a);
      const std::string sum = fresh();
      node(sum + " = Add (" + a.name + ", " + result.name + ")");
      const std::string name = "Branch" + std::to_string(count_++);
      text =
          name + " () => (int64[" + std::to_string(a.length) + "] " + sum + ") {\n" + body_ + "}";
    }
    body_ = outer;
    vectors_ = seen;
    node(out + " = If (" + condition + ") <then_branch = " + branches[0] +
         ", else_branch = " + branches[1] + ">");
    add(out, a.length);
  }

  std::mt19937 random_;
  std::vector<Vector> vectors_;
  std::string body_;
  int count_ = 0;
};

ValueMap feed_of(Shape shape, int64_t a, int64_t b) {
  ValueMap feed;
  feed.set("x", Array::zeros(DataType::kFloat32, std::move(shape)));
  feed.set("n", Array::of<int64_t>({2}, {a, b}));
  return feed;
}

TEST(RandomGraphs, ComputeTheSameWhenFolded) {
  Logger log;
  BundledRuntime runtime(built_paths(), log);
  OnnxrtEvaluator evaluator(built_paths(), log);
  const ValueMap feeds[] = {feed_of({2, 3, 4}, 5, 0), feed_of({1, 3, 0}, -1, 7)};
  size_t rewrites = 0;
  for (uint32_t seed = 0; seed < 150; ++seed) {
    const std::string text = Writer(seed).model();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const Model before = graphsurgeon::parse_onnx_text(text);
    ASSERT_NO_THROW(graphsurgeon::check_model(before));
    Model after = graphsurgeon::parse_onnx_text(text);
    // Without the runtime now and then: then only the rules fold.
    FoldOptions options;
    if (seed % 3 != 0) options.evaluator = &evaluator;
    rewrites += fold_constants(after, options, log).rewrites.size();
    cleanup(after);
    ASSERT_NO_THROW(graphsurgeon::check_model(after));
    for (int pass = 0; pass < 4; ++pass) {
      const size_t more = fold_constants(after, options, log).rewrites.size();
      cleanup(after);
      if (more == 0) break;
      ASSERT_LT(pass, 3) << "folding does not come to an end";
    }
    const auto reference = runtime.load(before);
    const auto folded = runtime.load(after);
    for (const ValueMap& feed : feeds) {
      const OutputAgreement found =
          agreement(flatten(run_model(*reference, feed)), flatten(run_model(*folded, feed)));
      ASSERT_TRUE(found.bit_equal) << found.output << " " << found.difference;
    }
  }
  EXPECT_GT(rewrites, 5000u);
}

}  // namespace
}  // namespace polygraphy
