// Shapes: of the metadata, and of outputs.

#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {
namespace {

Array counting(Shape shape) {
  Array array = Array::uninitialized(DataType::kFloat32, std::move(shape));
  auto* values = reinterpret_cast<float*>(array.mutable_data());
  for (int64_t i = 0; i < array.size(); ++i) values[i] = static_cast<float>(i) - 2;
  return array;
}

void expect_floats(Workbench& bench, const Array& array, const Shape& shape,
                   const std::vector<float>& values) {
  bench.shape_is("the shape of an output", array.shape(), shape);

  bench.floats_are("an output", array, values);
}

void several_sizes_in_one_session(Workbench& bench) {
  const auto runner = bench.runner(
      {.path = bench.file("g (float[N, 3, M] x) => (float[N, 3, M] y) { y = Relu (x) }")});
  ActiveRunner active(*runner);
  for (const Shape& shape : {Shape{1, 3, 2}, Shape{4, 3, 1}, Shape{2, 3, 5}, Shape{1, 3, 2}}) {
    const ValueMap outputs = active.infer({{"x", counting(shape)}});
    const Array& y = tensor(outputs, "y");
    bench.shape_is("the shape of y", y.shape(), shape);
    bench.number_is("y[0]", element(y, 0), 0);
    bench.number_is("y[y.size() - 1]", element(y, y.size() - 1), static_cast<double>(y.size() - 3));
  }
}

void ranks_up_to_six(Workbench& bench) {
  std::string dims;
  Shape shape;
  for (int rank = 1; rank <= 6; ++rank) {
    dims += rank == 1 ? "2" : ", 2";
    shape.push_back(2);
    const ValueMap outputs =
        bench.run("g (float[" + dims + "] x) => (float[" + dims + "] y) { y = Neg (x) }",
                  {{"x", counting(shape)}});
    bench.shape_is("the shape of y", tensor(outputs, "y").shape(), shape);
    bench.number_is("y[0]", number(outputs, "y", 0), 2);
  }
}

void scalars(Workbench& bench) {
  const auto session = bench.session(
      "g (float x, float[2] v) => (float y, float s) { y = Neg (x) s = ReduceSum <keepdims = 0> "
      "(v) }");
  if (!bench.holds("the rank of x is known", session->inputs()[0].info.shape.has_value())) return;
  bench.holds("x has rank 0", session->inputs()[0].info.shape->empty());
  const ValueMap outputs =
      session->infer({{"x", counting({})}, {"v", array_of<float>({2}, {3, 4})}}).outputs;
  expect_floats(bench, tensor(outputs, "y"), {}, {2});
  expect_floats(bench, tensor(outputs, "s"), {}, {7});
}

void zero_elements(Workbench& bench) {
  const ValueMap outputs =
      bench.run("g (float[N, 3] x) => (float[N, 3] y) { y = Relu (x) }", {{"x", counting({0, 3})}});
  bench.shape_is("the shape of y", tensor(outputs, "y").shape(), (Shape{0, 3}));
  bench.type_is("the type of y", tensor(outputs, "y").dtype(), DataType::kFloat32);
}

void sizes_that_depend_on_values(Workbench& bench) {
  const auto runner =
      bench.runner({.path = bench.file("g (float[N] x) => (int64[1, K] y) { y = NonZero (x) }")});
  ActiveRunner active(*runner);
  const ValueMap two = active.infer({{"x", array_of<float>({4}, {0, 5, 0, 7})}});
  bench.shape_is("the shape of y", tensor(two, "y").shape(), (Shape{1, 2}));
  bench.number_is("y[1]", number(two, "y", 1), 3);
  const ValueMap none = active.infer({{"x", array_of<float>({3}, {0, 0, 0})}});
  bench.shape_is("the shape of y", tensor(none, "y").shape(), (Shape{1, 0}));
}

void outputs_of_unknown_rank(Workbench& bench) {
  const auto session = bench.session(
      "g (float[N] x, int64[K] s) => (float[] y, float z) { y = Reshape (x, s) z = ReduceMax "
      "<keepdims = 0> (x) }");
  const ValueMap outputs =
      session->infer({{"x", counting({4})}, {"s", array_of<int64_t>({2}, {2, 2})}}).outputs;
  bench.shape_is("the shape of y", tensor(outputs, "y").shape(), (Shape{2, 2}));
}

void outputs_without_type(Workbench& bench) {
  const auto runner =
      bench.runner({.path = bench.file("g (float[N, 2] x) => (y) { t = Relu (x) y = NonZero (t) }"),
                    .outputs = {"t", "y"}});
  ActiveRunner active(*runner);
  const ValueMap outputs = active.infer({{"x", counting({2, 2})}});
  expect_floats(bench, tensor(outputs, "t"), {2, 2}, {0, 0, 0, 1});
  bench.shape_is("the shape of y", tensor(outputs, "y").shape(), (Shape{2, 1}));
}

void order_of_inputs_and_outputs(Workbench& bench) {
  const auto session = bench.session(
      "g (float[1] zz, float[1] aa, float[1] mm) => (float[1] q, float[1] b, float[1] c) "
      "{ b = Neg (zz) c = Abs (aa) q = Relu (mm) }");
  std::vector<std::string> names;
  for (const ValueInfo& value : session->inputs()) names.push_back(value.name);
  for (const ValueInfo& value : session->outputs()) names.push_back(value.name);
  bench.names_are("inputs and outputs", names, {"zz", "aa", "mm", "q", "b", "c"});
}

// Runtimes take these nodes out, and two names are one tensor to them.
void names_of_nodes_that_do_nothing(Workbench& bench) {
  const auto session = bench.session(
      "g (float[2] zz) => (float[2] mm, float[2] aa, float[2] bb) "
      "{ aa = Identity (zz) mm = Cast <to = 1> (aa) t = Neg (zz) bb = Identity (t) }");
  if (!bench.count_is("the number of inputs", session->inputs().size(), 1u)) return;
  bench.text_is("the input", session->inputs()[0].name, "zz");
  const ValueMap outputs = session->infer({{"zz", array_of<float>({2}, {1, 2})}}).outputs;
  if (!bench.count_is("the number of outputs", outputs.size(), 3u)) return;
  bench.text_is("the first output", outputs.at_index(0).first, "mm");
  expect_floats(bench, outputs.at_index(0).second.tensor(), {2}, {1, 2});
  bench.text_is("the second output", outputs.at_index(1).first, "aa");
  expect_floats(bench, outputs.at_index(1).second.tensor(), {2}, {1, 2});
  bench.text_is("the third output", outputs.at_index(2).first, "bb");
  expect_floats(bench, outputs.at_index(2).second.tensor(), {2}, {-1, -2});
}

void dimensions_of_metadata(Workbench& bench) {
  const auto session = bench.session("g (float[N, 3, ?] x) => (float[N, 3, ?] y) { y = Relu (x) }");
  const DimList& dims = *session->inputs()[0].info.shape;
  if (!bench.count_is("dims.size()", dims.size(), 3u)) return;
  bench.holds("the first dimension of x is open", !dims[0].is_static());
  bench.holds("the second dimension of x is 3", dims[1].is_static() && dims[1].value() == 3);
  bench.holds("the third dimension of x is open", !dims[2].is_static());
}

void names_of_dimensions(Workbench& bench) {
  const auto session =
      bench.session("g (float[batch, 3] x) => (float[batch, 3] y) { y = Relu (x) }");
  bench.text_is("the name of the first dimension of x",
                (*session->inputs()[0].info.shape)[0].param(), "batch");
}

std::vector<Case> case_list() {
  return {{"shapes/several_sizes_in_one_session", several_sizes_in_one_session},
          {"shapes/ranks_up_to_six", ranks_up_to_six},
          {"shapes/scalars", scalars},
          {"shapes/zero_elements", zero_elements},
          {"shapes/sizes_that_depend_on_values", sizes_that_depend_on_values},
          {"shapes/outputs_of_unknown_rank", outputs_of_unknown_rank},
          {"shapes/outputs_without_type", outputs_without_type},
          {"shapes/order_of_inputs_and_outputs", order_of_inputs_and_outputs},
          {"shapes/names_of_nodes_that_do_nothing", names_of_nodes_that_do_nothing},
          {"shapes/dimensions_of_metadata", dimensions_of_metadata},
          {"shapes/names_of_dimensions", names_of_dimensions}};
}

}  // namespace

extern constinit const CaseGroup case_group_shapes = {.cases = case_list};

}  // namespace polygraphy::contract
