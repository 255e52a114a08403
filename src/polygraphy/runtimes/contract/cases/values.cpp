// Values: accuracy, strings, and values that are not tensors.

#include <cmath>

#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {
namespace {

std::vector<std::string> strings_of(const Array& array) {
  return {array.strings().begin(), array.strings().end()};
}

// In bfloat16 or float16 these sums are off in the third digit.
void float32_is_float32(Workbench& bench) {
  constexpr int64_t kSize = 256;
  Array a = Array::uninitialized(DataType::kFloat32, {kSize, kSize});
  Array b = Array::uninitialized(DataType::kFloat32, {kSize, kSize});
  auto* av = reinterpret_cast<float*>(a.mutable_data());
  auto* bv = reinterpret_cast<float*>(b.mutable_data());
  for (int64_t i = 0; i < kSize * kSize; ++i) {
    av[i] = static_cast<float>((i * 7919) % 1000) / 999.0f;
    bv[i] = static_cast<float>((i * 104729) % 1000) / 999.0f - 0.5f;
  }
  const ValueMap outputs = bench.run(
      "g (float[256, 256] a, float[256, 256] b) => (float[256, 256] y) { y = MatMul (a, b) }",
      {{"a", a}, {"b", b}});
  const Array& y = tensor(outputs, "y");
  for (const int64_t row : {0, 17, 255}) {
    for (const int64_t column : {0, 99, 255}) {
      double sum = 0;
      for (int64_t k = 0; k < kSize; ++k) {
        sum +=
            static_cast<double>(av[row * kSize + k]) * static_cast<double>(bv[k * kSize + column]);
      }
      bench.number_is("y[row * kSize + column]", element(y, row * kSize + column), sum, 1e-4);
    }
  }
}

void nan_and_infinity_pass(Workbench& bench) {
  const float nan = std::nanf(""), inf = HUGE_VALF;
  const ValueMap outputs = bench.run("g (float[3] x) => (float[3] y) { y = Neg (x) }",
                                     {{"x", array_of<float>({3}, {nan, inf, -inf})}});
  const Array& y = tensor(outputs, "y");
  bench.holds("y[0] is not a number", std::isnan(element(y, 0)));
  bench.number_is("y[1]", element(y, 1), -HUGE_VAL);
  bench.number_is("y[2]", element(y, 2), HUGE_VAL);
}

void strided_feeds(Workbench& bench) {
  const Array x = array_of<float>({2, 3}, {0, 1, 2, 3, 4, 5});
  const ValueMap outputs = bench.run("g (float[3, 2] x) => (float[3, 2] y) { y = Neg (x) }",
                                     {{"x", x.transposed(std::vector<int64_t>{1, 0})}});
  bench.floats_are("y", tensor(outputs, "y"), {0, -3, -1, -4, -2, -5});
}

void strings_in_and_out(Workbench& bench) {
  using namespace std::string_literals;
  const std::vector<std::string> texts = {"plain", "", "ä€", "nul\0inside"s};
  const ValueMap outputs = bench.run("g (string[2, 2] x) => (string[2, 2] y) { y = Identity (x) }",
                                     {{"x", Array::from_strings({2, 2}, texts)}});
  const Array& y = tensor(outputs, "y");
  bench.shape_is("the shape of y", y.shape(), (Shape{2, 2}));
  bench.names_are("y", strings_of(y), texts);
}

void strings_made_by_a_node(Workbench& bench) {
  const ValueMap outputs = bench.run("g (int64[3] x) => (string[3] y) { y = Cast <to = 8> (x) }",
                                     {{"x", array_of<int64_t>({3}, {1, -20, 300})}});
  bench.names_are("y", strings_of(tensor(outputs, "y")), {"1", "-20", "300"});
}

void strings_in(Workbench& bench) {
  const auto runner =
      bench.runner({.path = bench.file("g (string[N] x) => (int64[1] y) { y = Shape (x) }")});
  ActiveRunner active(*runner);
  for (const std::vector<std::string>& texts : {std::vector<std::string>{"a", "b", ""}, {}}) {
    const auto count = static_cast<int64_t>(texts.size());
    const ValueMap outputs = active.infer({{"x", Array::from_strings({count}, texts)}});
    bench.number_is("y[0]", number(outputs, "y", 0), count);
  }
}

void no_strings(Workbench& bench) {
  const ValueMap outputs = bench.run("g (string[N] x) => (string[N] y) { y = Identity (x) }",
                                     {{"x", Array::from_strings({0}, {})}});
  bench.shape_is("the shape of y", tensor(outputs, "y").shape(), (Shape{0}));
}

void sequence_of_tensors_out(Workbench& bench) {
  const Array a = array_of<float>({2}, {1, 2}), b = array_of<float>({3}, {3, 4, 5});
  const ValueMap outputs =
      bench.run("g (float[2] a, float[3] b) => (seq(float[N]) y) { y = SequenceConstruct (a, b) }",
                {{"a", a}, {"b", b}});
  if (!bench.count_is("the number of outputs", outputs.size(), 1u)) return;
  bench.same_values("y", value(outputs, "y"), Value::Sequence{a, b});
}

void sequence_of_strings_out(Workbench& bench) {
  const Array text = Array::from_strings({1}, {"text"});
  const ValueMap outputs = bench.run(
      "g (string[1] a) => (seq(string[1]) y) { y = SequenceConstruct (a, a) }", {{"a", text}});
  bench.same_values("y", value(outputs, "y"), Value::Sequence{text, text});
}

void empty_sequence_out(Workbench& bench) {
  const ValueMap outputs =
      bench.run("g (float[1] x) => (seq(float) y, float[1] z) { y = SequenceEmpty () z = Neg (x) }",
                {{"x", array_of<float>({1}, {1})}});
  bench.same_values("y", value(outputs, "y"), Value::Sequence{});
  bench.number_is("z[0]", number(outputs, "z", 0), -1);
}

constexpr std::string_view kSequenceIn =
    "g (seq(float[N]) s, int64 i) => (float[M] y, int64 n) { y = SequenceAt (s, i) n = "
    "SequenceLength (s) }";

void sequence_in(Workbench& bench) {
  const auto session = bench.session(kSequenceIn);
  bench.holds("s is a sequence", session->inputs()[0].info.kind == ValueKind::kSequence);
  bench.type_is("the type of s", session->inputs()[0].info.dtype, DataType::kFloat32);
  const Value::Sequence items{array_of<float>({2}, {1, 2}), array_of<float>({1}, {3})};
  const ValueMap outputs =
      session->infer({{"s", items}, {"i", array_of<int64_t>({}, {1})}}).outputs;
  bench.number_is("n[0]", number(outputs, "n", 0), 2);
  bench.number_is("y[0]", number(outputs, "y", 0), 3);
}

void sequence_of_one_in(Workbench& bench) {
  const ValueMap outputs = bench.run(
      kSequenceIn, {{"s", array_of<float>({2}, {1, 2})}, {"i", array_of<int64_t>({}, {0})}});
  bench.number_is("n[0]", number(outputs, "n", 0), 1);
  bench.number_is("y[1]", number(outputs, "y", 1), 2);
}

// "x[0]" is an item's name in text and files only: a tensor may be called so.
void tensor_named_like_a_sequence_item(Workbench& bench) {
  graphsurgeon::Model model = graphsurgeon::parse_onnx_text(
      "g (float[1] a, seq(float[1]) x) => (float[1] b) <int64 i = {0}> {"
      " t = SequenceAt (x, i) b = Add (a, t) }");
  model.graph->inputs()[0]->set_name("x[0]");
  model.graph->outputs()[0]->set_name("x[1]");
  const std::string path = bench.file_of_bytes(graphsurgeon::encode_model(model));
  const auto runner = bench.runner({.path = path});
  ActiveRunner active(*runner);
  const ValueMap outputs = active.infer(
      {{"x[0]", array_of<float>({1}, {1})}, {"x", Value::Sequence{array_of<float>({1}, {2})}}});
  bench.number_is("x[1][0]", number(outputs, "x[1]", 0), 3);
}

void map_out(Workbench& bench) {
  const ValueMap outputs = bench.run(
      R"(<ir_version: 8, opset_import: ["": 17, "ai.onnx.ml": 3]>
         g (float[1, 2] x) => (seq(map(int64, float)) y) {
           y = ai.onnx.ml.ZipMap <classlabels_int64s = [10, 20]> (x) })",
      {{"x", array_of<float>({1, 2}, {0.25, 0.75})}});
  const Value::Map map{array_of<int64_t>({2}, {10, 20}), array_of<float>({2}, {0.25, 0.75})};
  bench.same_values("y", value(outputs, "y"), Value::Sequence{map});
}

void map_in(Workbench& bench) {
  const ValueMap outputs = bench.run(
      R"(<ir_version: 8, opset_import: ["": 17, "ai.onnx.ml": 3]>
         g (map(int64, float) x) => (float[1, N] y) {
           y = ai.onnx.ml.CastMap <cast_to = "TO_FLOAT", map_form = "DENSE"> (x) })",
      {{"x", Value::Map{array_of<int64_t>({2}, {0, 1}), array_of<float>({2}, {0.25, 0.75})}}});
  const Array& y = tensor(outputs, "y");
  if (!bench.shape_is("the shape of y", y.shape(), (Shape{1, 2}))) return;
  bench.number_is("y[1]", element(y, 1), 0.75);
}

void optional_out(Workbench& bench) {
  const ValueMap outputs = bench.run(
      "g (float[2] x) => (optional(float[2]) y, float[2] z) { y = Optional (x) z = Neg (x) }",
      {{"x", array_of<float>({2}, {1, 2})}});
  bench.count_is("the number of outputs", outputs.size(), 2u);
  bench.number_is("y[1]", number(outputs, "y", 1), 2);
}

// An optional input is given the value in it: a tensor or a sequence.
void optional_in(Workbench& bench) {
  const ValueMap outputs = bench.run(
      R"(g (optional(float[2]) x, optional(seq(float[2])) s) => (float[2] y, float[2] z)
         <int64 one = {1}> {
           y = OptionalGetElement (x) t = OptionalGetElement (s) z = SequenceAt (t, one) })",
      {{"x", array_of<float>({2}, {1, 2})},
       {"s", Value::Sequence{array_of<float>({2}, {3, 4}), array_of<float>({2}, {5, 6})}}});
  bench.number_is("y[1]", number(outputs, "y", 1), 2);
  bench.number_is("z[1]", number(outputs, "z", 1), 6);
}

void nothing_in_an_optional(Workbench& bench) {
  const ValueMap outputs = bench.run(
      R"(g (float[2] x) => (optional(float[2]) y, float[2] z) {
           y = Optional <type = float[2]> () z = Neg (x) })",
      {{"x", array_of<float>({2}, {1, 2})}});
  bench.holds("y is absent", value(outputs, "y").is_absent());
  bench.number_is("z[1]", number(outputs, "z", 1), -2);
}

std::vector<Case> case_list() {
  return {{"values/float32_is_float32", float32_is_float32},
          {"values/nan_and_infinity_pass", nan_and_infinity_pass},
          {"values/strided_feeds", strided_feeds},
          {"values/strings_in_and_out", strings_in_and_out},
          {"values/strings_made_by_a_node", strings_made_by_a_node},
          {"values/strings_in", strings_in},
          {"values/no_strings", no_strings},
          {"values/sequence_of_tensors_out", sequence_of_tensors_out},
          {"values/sequence_of_strings_out", sequence_of_strings_out},
          {"values/empty_sequence_out", empty_sequence_out},
          {"values/sequence_in", sequence_in},
          {"values/sequence_of_one_in", sequence_of_one_in},
          {"values/tensor_named_like_a_sequence_item", tensor_named_like_a_sequence_item},
          {"values/map_out", map_out},
          {"values/map_in", map_in},
          {"values/optional_out", optional_out},
          {"values/optional_in", optional_in},
          {"values/nothing_in_an_optional", nothing_in_an_optional}};
}

}  // namespace

extern constinit const CaseGroup case_group_values = {.cases = case_list};

}  // namespace polygraphy::contract
