// Shapes: what is known before, and what comes out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract.h"

namespace polygraphy::contract {
namespace {

Array counting(Shape shape) {
  Array array = Array::uninitialized(DataType::kFloat32, std::move(shape));
  auto* values = reinterpret_cast<float*>(array.mutable_data());
  for (int64_t i = 0; i < array.size(); ++i) values[i] = static_cast<float>(i) - 2;
  return array;
}

void expect_floats(const Array& array, const Shape& shape, const std::vector<float>& values) {
  EXPECT_EQ(array.shape(), shape);
  ASSERT_EQ(array.dtype(), DataType::kFloat32);
  EXPECT_EQ(std::vector<float>(array.as<float>().begin(), array.as<float>().end()), values);
}

void several_sizes_in_one_session(Bench& bench) {
  const auto runner = bench.runner(
      {.path = bench.file("g (float[N, 3, M] x) => (float[N, 3, M] y) { y = Relu (x) }")});
  ActiveRunner active(*runner);
  for (const Shape& shape : {Shape{1, 3, 2}, Shape{4, 3, 1}, Shape{2, 3, 5}, Shape{1, 3, 2}}) {
    const ValueMap outputs = active.infer({{"x", counting(shape)}});
    const Array& y = outputs.find("y")->tensor();
    EXPECT_EQ(y.shape(), shape);
    EXPECT_EQ(y.get_double(0), 0);
    EXPECT_EQ(y.get_double(y.size() - 1), static_cast<double>(y.size() - 3));
  }
}

void ranks_up_to_six(Bench& bench) {
  std::string dims;
  Shape shape;
  for (int rank = 1; rank <= 6; ++rank) {
    dims += rank == 1 ? "2" : ", 2";
    shape.push_back(2);
    const ValueMap outputs =
        bench.run("g (float[" + dims + "] x) => (float[" + dims + "] y) { y = Neg (x) }",
                  {{"x", counting(shape)}});
    EXPECT_EQ(outputs.find("y")->tensor().shape(), shape);
    EXPECT_EQ(outputs.find("y")->tensor().get_double(0), 2);
  }
}

void scalars(Bench& bench) {
  const auto session = bench.session(
      "g (float x, float[2] v) => (float y, float s) { y = Neg (x) s = ReduceSum <keepdims = 0> "
      "(v) }");
  ASSERT_TRUE(session->inputs()[0].info.shape);
  EXPECT_TRUE(session->inputs()[0].info.shape->empty());
  const ValueMap outputs =
      session->infer({{"x", counting({})}, {"v", array_of<float>({2}, {3, 4})}}).outputs;
  expect_floats(outputs.find("y")->tensor(), {}, {2});
  expect_floats(outputs.find("s")->tensor(), {}, {7});
}

void zero_elements(Bench& bench) {
  const ValueMap outputs =
      bench.run("g (float[N, 3] x) => (float[N, 3] y) { y = Relu (x) }", {{"x", counting({0, 3})}});
  EXPECT_EQ(outputs.find("y")->tensor().shape(), (Shape{0, 3}));
  EXPECT_EQ(outputs.find("y")->tensor().dtype(), DataType::kFloat32);
}

void sizes_that_depend_on_values(Bench& bench) {
  const auto runner =
      bench.runner({.path = bench.file("g (float[N] x) => (int64[1, K] y) { y = NonZero (x) }")});
  ActiveRunner active(*runner);
  const ValueMap two = active.infer({{"x", array_of<float>({4}, {0, 5, 0, 7})}});
  EXPECT_EQ(two.find("y")->tensor().shape(), (Shape{1, 2}));
  EXPECT_EQ(two.find("y")->tensor().get_int64(1), 3);
  const ValueMap none = active.infer({{"x", array_of<float>({3}, {0, 0, 0})}});
  EXPECT_EQ(none.find("y")->tensor().shape(), (Shape{1, 0}));
}

void outputs_of_unknown_rank(Bench& bench) {
  const auto session = bench.session(
      "g (float[N] x, int64[K] s) => (float[] y, float z) { y = Reshape (x, s) z = ReduceMax "
      "<keepdims = 0> (x) }");
  const ValueMap outputs =
      session->infer({{"x", counting({4})}, {"s", array_of<int64_t>({2}, {2, 2})}}).outputs;
  EXPECT_EQ(outputs.find("y")->tensor().shape(), (Shape{2, 2}));
}

void outputs_without_type(Bench& bench) {
  const auto runner =
      bench.runner({.path = bench.file("g (float[N, 2] x) => (y) { t = Relu (x) y = NonZero (t) }"),
                    .outputs = {"t", "y"}});
  ActiveRunner active(*runner);
  const ValueMap outputs = active.infer({{"x", counting({2, 2})}});
  expect_floats(outputs.find("t")->tensor(), {2, 2}, {0, 0, 0, 1});
  EXPECT_EQ(outputs.find("y")->tensor().shape(), (Shape{2, 1}));
}

void order_of_inputs_and_outputs(Bench& bench) {
  const auto session = bench.session(
      "g (float[1] zz, float[1] aa, float[1] mm) => (float[1] q, float[1] b, float[1] c) "
      "{ b = Neg (zz) c = Abs (aa) q = Relu (mm) }");
  std::vector<std::string> names;
  for (const ValueInfo& value : session->inputs()) names.push_back(value.name);
  for (const ValueInfo& value : session->outputs()) names.push_back(value.name);
  EXPECT_THAT(names, testing::ElementsAre("zz", "aa", "mm", "q", "b", "c"));
}

// Runtimes take such nodes out, and two names are one tensor to them.
void names_of_nodes_that_do_nothing(Bench& bench) {
  const auto session = bench.session(
      "g (float[2] zz) => (float[2] mm, float[2] aa, float[2] bb) "
      "{ aa = Identity (zz) mm = Cast <to = 1> (aa) t = Neg (zz) bb = Identity (t) }");
  ASSERT_EQ(session->inputs().size(), 1u);
  EXPECT_EQ(session->inputs()[0].name, "zz");
  const ValueMap outputs = session->infer({{"zz", array_of<float>({2}, {1, 2})}}).outputs;
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs.at_index(0).first, "mm");
  expect_floats(outputs.at_index(0).second.tensor(), {2}, {1, 2});
  EXPECT_EQ(outputs.at_index(1).first, "aa");
  expect_floats(outputs.at_index(1).second.tensor(), {2}, {1, 2});
  EXPECT_EQ(outputs.at_index(2).first, "bb");
  expect_floats(outputs.at_index(2).second.tensor(), {2}, {-1, -2});
}

void dimensions_of_metadata(Bench& bench) {
  const auto session = bench.session("g (float[N, 3, ?] x) => (float[N, 3, ?] y) { y = Relu (x) }");
  const DimList& dims = *session->inputs()[0].info.shape;
  ASSERT_EQ(dims.size(), 3u);
  EXPECT_FALSE(dims[0].is_static());
  EXPECT_EQ(dims[1].value(), 3);
  EXPECT_FALSE(dims[2].is_static());
}

void names_of_dimensions(Bench& bench) {
  const auto session =
      bench.session("g (float[batch, 3] x) => (float[batch, 3] y) { y = Relu (x) }");
  EXPECT_EQ((*session->inputs()[0].info.shape)[0].param(), "batch");
}

}  // namespace

std::vector<Case> shapes_cases() {
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

}  // namespace polygraphy::contract
