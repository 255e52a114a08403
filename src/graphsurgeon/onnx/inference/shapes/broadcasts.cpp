#include "graphsurgeon/onnx/inference/shapes/broadcasts.h"

#include <array>

namespace graphsurgeon {

namespace {

// The last dimensions of both face each other.
DimList broadcast(const DimList& a, const DimList& b, SizeAlgebra& sizes) {
  DimList result = a.size() < b.size() ? b : a;
  const DimList& shorter = a.size() < b.size() ? a : b;
  const size_t offset = result.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    result[offset + i] = sizes.broadcast(result[offset + i], shorter[i]);
  }
  return result;
}

void elementwise(ShapeNode& node) {
  auto dims = node.input(0);
  for (size_t i = 1; dims && node.has_input(i); ++i) {
    const auto other = node.input(i);
    if (!other) return;
    dims = broadcast(*dims, *other, node.sizes());
  }
  if (dims) node.fill(0, *dims);
}

void matmul(ShapeNode& node) {
  const auto a = node.input(0), b = node.input(1);
  if (!a || !b || a->size() < 2 || b->size() < 2) return;
  DimList dims =
      broadcast(DimList(a->begin(), a->end() - 2), DimList(b->begin(), b->end() - 2), node.sizes());
  dims.push_back(*(a->end() - 2));
  dims.push_back(b->back());
  node.fill(0, dims);
}

void expand(ShapeNode& node) {
  const auto given = node.input(0), wanted = node.elements(1);
  if (given && wanted) node.fill(0, broadcast(*given, *wanted, node.sizes()));
}

constexpr std::array<ShapeRow, 21> kRows = {{{"Add", elementwise},
                                             {"And", elementwise},
                                             {"Div", elementwise},
                                             {"Equal", elementwise},
                                             {"Expand", expand},
                                             {"Greater", elementwise},
                                             {"GreaterOrEqual", elementwise},
                                             {"Less", elementwise},
                                             {"LessOrEqual", elementwise},
                                             {"MatMul", matmul},
                                             {"MatMulInteger", matmul},
                                             {"Max", elementwise},
                                             {"Mean", elementwise},
                                             {"Min", elementwise},
                                             {"Mod", elementwise},
                                             {"Mul", elementwise},
                                             {"Or", elementwise},
                                             {"Pow", elementwise},
                                             {"Sub", elementwise},
                                             {"Sum", elementwise},
                                             {"Where", elementwise}}};

}  // namespace

ShapeFunction broadcast_function(std::string_view op) {
  return function_of(kRows, op);
}

}  // namespace graphsurgeon
