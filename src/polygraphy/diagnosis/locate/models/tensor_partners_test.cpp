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

// Of two layers whose tensors are numbered in their order.
Partners partners_of_numbered(const std::string& graph) {
  const Model reference = parse(R"(g (float[2, 2] t0) => (float[2, 2] t6)
    <float[2, 2] w = {1, 2, 3, 4}, float[2, 2] v = {1, 2, 3, 4}, float[2] b = {1, 2}, float[2] c = {1, 2}> {
    t1 = MatMul(t0, w) t2 = Add(t1, b) t3 = Relu(t2)
    t4 = MatMul(t3, v) t5 = Add(t4, c) t6 = Relu(t5) })");
  const auto partners = tensor_partners(reference, parse(graph));
  return {partners.begin(), partners.end()};
}

TEST(TensorPartners, NumbersMayBeShifted) {
  EXPECT_THAT(partners_of_numbered(R"(g (float[2, 2] t0) => (float[2, 2] t8)
    <int8[2, 2] w = {1, 2, 3, 4}, int8[2, 2] v = {1, 2, 3, 4}, float s = {0.5}, float[2] b = {1, 2}, float[2] c = {1, 2}> {
    t1 = DequantizeLinear(w, s) t2 = MatMul(t0, t1) t3 = Add(t2, b) t4 = Relu(t3)
    t5 = DequantizeLinear(v, s) t6 = MatMul(t4, t5) t7 = Add(t6, c) t8 = Relu(t7) })"),
              ElementsAre(Pair("t0", "t0"), Pair("t2", "t1"), Pair("t3", "t2"), Pair("t4", "t3"),
                          Pair("t6", "t4"), Pair("t7", "t5"), Pair("t8", "t6")));
}

TEST(TensorPartners, NamesOfNodesCountMoreThanThoseOfTensors) {
  const Model reference = parse(R"(g (float[2, 2] x) => (float[2, 2] t3)
    <float[2, 2] w = {1, 2, 3, 4}> { [one] t1 = Relu(x) [two] t2 = Relu(t1) [three] t3 = MatMul(t2, w) })");
  const auto partners = tensor_partners(reference, parse(R"(g (float[2, 2] x) => (float[2, 2] t4)
    <int8[2, 2] w = {1, 2, 3, 4}, float s = {0.5}> { [zero] t1 = DequantizeLinear(w, s) [one] t2 = Relu(x)
    [two] t3 = Relu(t2) [three] t4 = MatMul(t3, t1) })"));
  EXPECT_THAT(Partners(partners.begin(), partners.end()),
              ElementsAre(Pair("t2", "t1"), Pair("t3", "t2"), Pair("t4", "t3"), Pair("x", "x")));
}

TEST(TensorPartners, NumbersThatAQuantiserKeepsAreNames) {
  EXPECT_THAT(partners_of_numbered(R"(g (float[2, 2] t0) => (float[2, 2] t6)
    <int8[2, 2] w = {1, 2, 3, 4}, int8[2, 2] v = {1, 2, 3, 4}, float s = {0.5}, float[2] b = {1, 2}, float[2] c = {1, 2}> {
    w_float = DequantizeLinear(w, s) t1 = MatMul(t0, w_float) t2 = Add(t1, b) t3 = Relu(t2)
    v_float = DequantizeLinear(v, s) t4 = MatMul(t3, v_float) t5 = Add(t4, c) t6 = Relu(t5) })"),
              ElementsAre(Pair("t0", "t0"), Pair("t1", "t1"), Pair("t2", "t2"), Pair("t3", "t3"),
                          Pair("t4", "t4"), Pair("t5", "t5"), Pair("t6", "t6")));
}

}  // namespace
}  // namespace polygraphy
