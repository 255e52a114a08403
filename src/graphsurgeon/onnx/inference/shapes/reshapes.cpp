#include "graphsurgeon/onnx/inference/shapes/reshapes.h"

#include <algorithm>
#include <array>
#include <optional>

namespace graphsurgeon {

namespace {

const Dim kZero{int64_t{0}};
const Dim kOne{int64_t{1}};

Dim product_of(DimList::const_iterator first, DimList::const_iterator last, SizeAlgebra& sizes) {
  Dim product = 1;
  for (; first != last; ++first) product = sizes.product(product, *first);
  return product;
}

// The shape that a Reshape asks for.
struct WantedShape {
  DimList dims;        // 1 for -1
  size_t rest = 0;     // the place of -1; the rank without one
  bool copies = true;  // open dimensions stay where they are
};

std::optional<WantedShape> wanted_shape(ShapeNode& node, const std::optional<DimList>& given) {
  const auto wanted = node.parameter("shape", 1);
  if (!wanted) return std::nullopt;
  const bool zero_is_zero = node.integer("allowzero", 0) != 0;
  WantedShape result;
  result.rest = wanted->size();
  for (size_t i = 0; i < wanted->size(); ++i) {
    const Dim copied = given && i < given->size() ? (*given)[i] : Dim();
    Dim dim = (*wanted)[i];
    if (dim == Dim(-1)) {
      if (result.rest != wanted->size()) return std::nullopt;
      result.rest = i;
      dim = kOne;
    } else if (dim == kZero && !zero_is_zero) {
      dim = copied;
    } else if (!dim.has_value() && !node.sizes().is_equal(dim, copied)) {
      result.copies = false;
    }
    result.dims.push_back(dim);
  }
  return result;
}

// The size for -1: [N,3,4] under the shape [N,-1] is [N,12]. The others cannot be 0, because then
// -1 would be undetermined, and the node would not run; unless a name stands for 0 and so for
// another dimension of the input, which no number must depend on.
Dim rest_of(const WantedShape& wanted, const DimList& given, SizeAlgebra& sizes) {
  const Dim all = product_of(given.begin(), given.end(), sizes);
  const Dim others = product_of(wanted.dims.begin(), wanted.dims.end(), sizes);
  if (others == kZero) return {};
  const Dim rest = sizes.floor_quotient(all, others);
  if (!rest.has_value()) return rest;
  const bool is_exact = sizes.is_equal(sizes.product(rest, others), all);
  return is_exact && (wanted.copies || others.has_value()) ? rest : Dim();
}

void reshape(ShapeNode& node) {
  const auto given = node.input(0);
  auto wanted = wanted_shape(node, given);
  if (!wanted) return;
  if (wanted->rest < wanted->dims.size()) {
    wanted->dims[wanted->rest] = given ? rest_of(*wanted, *given, node.sizes()) : Dim();
  }
  node.fill(0, wanted->dims);
}

void flatten(ShapeNode& node) {
  const auto given = node.input(0);
  if (!given) return;
  const auto rank = static_cast<int64_t>(given->size());
  const int64_t axis = node.integer("axis", 1);
  if (axis < -rank || axis > rank) return;
  const auto middle = given->begin() + (axis < 0 ? axis + rank : axis);
  node.fill(0, {product_of(given->begin(), middle, node.sizes()),
                product_of(middle, given->end(), node.sizes())});
}

void constant_of_shape(ShapeNode& node) {
  if (const auto wanted = node.elements(0)) node.fill(0, *wanted);
}

void tile(ShapeNode& node) {
  const auto given = node.input(0), repeats = node.elements(1);
  if (!given) return;
  DimList dims(given->size());
  if (repeats && repeats->size() == dims.size()) {
    for (size_t i = 0; i < dims.size(); ++i) {
      dims[i] = node.sizes().product((*given)[i], (*repeats)[i]);
    }
  }
  node.fill(0, dims);
}

void concat(ShapeNode& node) {
  auto dims = node.input(0);
  const auto axis = dims ? axis_of(node.integer("axis", 1), dims->size()) : std::nullopt;
  if (!axis) return;
  for (size_t i = 1; node.has_input(i); ++i) {
    const auto part = node.input(i);
    if (!part || part->size() != dims->size()) return;
    for (size_t d = 0; d < dims->size(); ++d) {
      if (d == *axis) {
        (*dims)[d] = node.sizes().sum((*dims)[d], (*part)[d]);
      } else if (!(*dims)[d].is_static() && (*part)[d].is_static()) {
        (*dims)[d] = (*part)[d];
      } else if ((*dims)[d] == Dim()) {
        (*dims)[d] = (*part)[d];
      }
    }
  }
  node.fill(0, *dims);
}

void range(ShapeNode& node) {
  const auto start = node.elements(0), limit = node.elements(1), step = node.elements(2);
  if (!start || !limit || !step || start->size() != 1 || limit->size() != 1 || step->size() != 1) {
    return;
  }
  SizeAlgebra& sizes = node.sizes();
  const Dim& by = (*step)[0];
  if (!by.has_value() || by.value() == 0) return;
  const Dim way = sizes.difference((*limit)[0], (*start)[0]);
  const Dim steps =
      by.value() == 1 && sizes.is_integer(way) ? way : sizes.ceiling(sizes.quotient(way, by));
  node.fill(0, {sizes.maximum(steps, kZero)});
}

void one_hot(ShapeNode& node) {
  const auto given = node.input(0), depth = node.elements(1);
  if (!given) return;
  const auto axis = axis_of(node.integer("axis", -1), given->size() + 1);
  if (!axis) return;
  DimList dims = *given;
  const bool is_known = depth && depth->size() == 1;
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(*axis), is_known ? (*depth)[0] : Dim());
  node.fill(0, dims);
}

// Where the axes are unknown, the rank is not, if they are kept.
void reduce(ShapeNode& node) {
  const auto given = node.input(0);
  if (given && node.integer("keepdims", 1) != 0) node.fill(0, DimList(given->size()));
}

void resize(ShapeNode& node) {
  const auto given = node.input(0);
  const bool is_new = node.has_input(2) || node.has_input(3);
  const auto scales = node.elements(is_new ? 2 : 1), wanted = node.elements(3);
  const std::string_view coordinates = node.text("coordinate_transformation_mode", "half_pixel");
  if (!given || coordinates == "tf_crop_and_resize" ||
      node.text("keep_aspect_ratio_policy", "stretch") != "stretch") {
    return;
  }
  std::vector<int64_t> axes;
  for (size_t i = 0; i < given->size(); ++i) axes.push_back(static_cast<int64_t>(i));
  axes = node.integers("axes").value_or(axes);
  DimList dims = *given;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = axis_of(axes[i], dims.size());
    if (!axis) return;
    Dim& dim = dims[*axis];
    if (node.has_input(3)) {
      dim = wanted && wanted->size() == axes.size() ? (*wanted)[i] : Dim();
    } else if (scales && scales->size() == axes.size()) {
      dim = node.sizes().floor(node.sizes().product(dim, (*scales)[i]));
    } else {
      dim = Dim();
    }
  }
  node.fill(0, dims);
}

void space_to_depth(ShapeNode& node) {
  const auto given = node.input(0);
  const int64_t block = node.integer("blocksize", 0);
  if (!given || given->size() != 4 || block < 1 || block > 1024) return;
  SizeAlgebra& sizes = node.sizes();
  const bool is_back = node.op() == "DepthToSpace";
  const auto changed = [&](const Dim& dim, int64_t by, bool grows) {
    return grows ? sizes.product(dim, by) : sizes.floor_quotient(dim, by);
  };
  node.fill(0, {(*given)[0], changed((*given)[1], block * block, !is_back),
                changed((*given)[2], block, is_back), changed((*given)[3], block, is_back)});
}

constexpr std::array<ShapeRow, 21> kRows = {{{"Concat", concat},
                                             {"ConstantOfShape", constant_of_shape},
                                             {"DepthToSpace", space_to_depth},
                                             {"Flatten", flatten},
                                             {"OneHot", one_hot},
                                             {"Range", range},
                                             {"ReduceL1", reduce},
                                             {"ReduceL2", reduce},
                                             {"ReduceLogSum", reduce},
                                             {"ReduceLogSumExp", reduce},
                                             {"ReduceMax", reduce},
                                             {"ReduceMean", reduce},
                                             {"ReduceMin", reduce},
                                             {"ReduceProd", reduce},
                                             {"ReduceSum", reduce},
                                             {"ReduceSumSquare", reduce},
                                             {"Reshape", reshape},
                                             {"Resize", resize},
                                             {"SpaceToDepth", space_to_depth},
                                             {"Tile", tile},
                                             {"Upsample", resize}}};

}  // namespace

ShapeFunction reshape_function(std::string_view op) {
  return function_of(kRows, op);
}

}  // namespace graphsurgeon
