#include "polygraphy/diagnosis/locate/models/tensor_partners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using ::testing::ElementsAre;
using ::testing::Pair;
using Partners = std::map<std::string, std::string>;

Model parse(const std::string& graph) {
  return graphsurgeon::parse_onnx_text(
      ("<ir_version: 10, opset_import: [\"\": 21, \"com.microsoft\": 1]> " + graph).c_str());
}

// Of a layer in floating point.
Partners partners_of(const std::string& graph) {
  const Model reference = parse(R"(g (float[2, 4] x) => (float[2, 1] y)
    <float[4, 1] w = {1, 2, 3, 4}, float[1] b = {1}> {
    product = MatMul(x, w) sum = Add(product, b) y = Relu(sum) })");
  const auto partners = tensor_partners(reference, parse(graph));
  return {partners.begin(), partners.end()};
}

TEST(TensorPartners, TheOneThatAReaderHasInTheSamePlace) {
  EXPECT_THAT(
      partners_of(R"(g (float[2, 4] x) => (float[2, 1] y)
    <uint8[4, 1] w = {1, 2, 3, 4}, float s = {0.5}, float[1] b = {1}> {
    q, step, zero = DynamicQuantizeLinear(x) whole = MatMulInteger(q, w, zero)
    f = Cast <to = 1> (whole) scale = Mul(step, s) other = Mul(f, scale)
    sum = Add(other, b) y = Relu(sum) })"),
      ElementsAre(Pair("other", "product"), Pair("sum", "sum"), Pair("x", "x"), Pair("y", "y")));
}

TEST(TensorPartners, QuantisedInputsHaveNone) {
  EXPECT_THAT(
      partners_of(R"(g (float[2, 4] x) => (float[2, 1] y)
    <float s = {0.1}, int8 z = {0}, int8[4, 1] w = {1, 2, 3, 4}, float[1] b = {1}> {
    q = QuantizeLinear(x, s, z) d = DequantizeLinear(q, s, z) v = DequantizeLinear(w, s, z)
    product = MatMul(d, v) sum = Add(product, b) y = Relu(sum) })"),
      ElementsAre(Pair("product", "product"), Pair("sum", "sum"), Pair("x", "x"), Pair("y", "y")));
}

TEST(TensorPartners, NamesMayAllDiffer) {
  EXPECT_THAT(
      partners_of(R"(g (float[2, 4] in) => (float[2, 1] out)
    <float[4, 1] weight = {1, 2, 3, 5}, float[1] bias = {1}> {
    t0 = MatMul(in, weight) t1 = Add(t0, bias) out = Relu(t1) })"),
      ElementsAre(Pair("in", "x"), Pair("out", "y"), Pair("t0", "product"), Pair("t1", "sum")));
}

TEST(TensorPartners, ATensorOfAnotherTypeIsNone) {
  const Partners partners = partners_of(R"(g (float[2, 4] x) => (float[2, 1] y)
    <float[4, 1] w = {1, 2, 3, 4}, float[1] b = {1}> {
    f = MatMul(x, w) product = Cast <to = 6> (f) c = Cast <to = 1> (product)
    sum = Add(c, b) y = Relu(sum) })");
  EXPECT_FALSE(partners.contains("product"));
  EXPECT_EQ(partners.at("sum"), "sum");
}

}  // namespace
}  // namespace polygraphy
