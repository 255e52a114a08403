#include "polygraphy/data/inputs/adapt_feed.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/arrays/convert.h"
#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/tensors/name_match.h"

namespace polygraphy {
namespace {

std::string tensor(const std::string& name) {
  return "Input tensor: " + name + " | ";
}

// The least and greatest finite value, where NumPy knows the type.
std::optional<std::pair<double, double>> finite_range(DataType type) {
  switch (type) {
    case DataType::kFloat16:
      return {{-65504, 65504}};
    case DataType::kFloat32:
      return {{std::numeric_limits<float>::lowest(), std::numeric_limits<float>::max()}};
    case DataType::kFloat64:
      return {{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()}};
    default:
      break;
  }
  if (!is_integral(type)) return std::nullopt;
  const int bits = bit_width(type);
  const double values = std::ldexp(1.0, bits);
  return kind_of(type) == Kind::kSigned ? std::pair{-values / 2, values / 2 - 1}
                                        : std::pair{0.0, values - 1};
}

// Whether an element lies outside of `range`, that of `type`. As in NumPy, only integers are
// compared exactly: the greatest int64 is not a double.
bool any_outside(const Array& array, std::pair<double, double> range, DataType type) {
  const Kind kind = kind_of(array.dtype());
  if (kind == Kind::kString || kind == Kind::kComplex || kind == Kind::kUnknown) return false;
  const bool exact = array.dtype() == DataType::kUint64 && type == DataType::kInt64;
  for (int64_t i = 0; i < array.size(); ++i) {
    if (exact && array.get_int64(i) < 0) return true;
    const double value = array.get_double(i);
    if (value < range.first || value > range.second) return true;
  }
  return false;
}

Array cast(const std::string& name, const Array& array, DataType type, Logger& log) {
  log.warning(log_modules::kDataLoader, tensor(name) + "Buffer dtype (" +
                                            std::string(name_of(array.dtype())) +
                                            ") does not match expected input dtype (" +
                                            std::string(name_of(type)) + "), attempting to cast.");
  if (kind_of(array.dtype()) == Kind::kComplex && kind_of(type) != Kind::kComplex) {
    log.warning(log_modules::kDataLoader,
                tensor(name) + "The imaginary parts of its values are dropped.");
  }
  const auto range = finite_range(type);
  if (range && any_outside(array, *range, type)) {
    log.warning(log_modules::kDataLoader, "Some values in this input are out of range of " +
                                              std::string(name_of(type)) +
                                              ". Unexpected behavior may ensue!");
  }
  try {
    return convert(array, type);
  } catch (const Error& error) {
    throw FeedError(name, tensor(name) + error.what(), error.hint());
  }
}

// The expected shape, with open dimensions filled in from the array.
Shape frozen(const DimList& expected, const Array& array) {
  Shape shape;
  int64_t known = 1;
  size_t dynamic = 0;
  for (const Dim& dim : expected) {
    shape.push_back(dim.is_static() ? dim.value() : -1);
    if (dim.is_static()) {
      if (__builtin_mul_overflow(known, dim.value(), &known)) known = array.size() + 1;
    } else {
      ++dynamic;
    }
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0) continue;
    if (dynamic == 1) {
      shape[i] = known == 0 ? 0 : array.size() / known;
    } else if (expected.size() == array.shape().size()) {
      shape[i] = array.shape()[i];
    }
  }
  return shape;
}

Array reshape(const Array& array, const Shape& shape, Logger& log) {
  if (array.shape() == shape) return array;
  const bool fits = std::all_of(shape.begin(), shape.end(), [](int64_t d) { return d >= 0; }) &&
                    element_count(shape) == array.size();
  if (!fits) {
    log.warning(log_modules::kUtil,
                "Could not reshape array from shape: " + py_tuple_repr(array.shape()) +
                    " to BoundedShape(" + py_list_repr(shape) +
                    ", min=None, max=None). Skipping reshape.");
    return array;
  }
  log.info(log_modules::kUtil, "Reshaped array from shape: " + py_tuple_repr(array.shape()) +
                                   " to: " + py_tuple_repr(shape));
  return array.contiguous_aligned(1).reshaped(shape);
}

Array permute(const Array& array, const Shape& shape, Logger& log) {
  std::vector<int64_t> permutation;
  std::vector<bool> taken(shape.size(), false);
  for (int64_t length : shape) {
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (taken[axis] || array.shape()[axis] != length) continue;
      taken[axis] = true;
      permutation.push_back(static_cast<int64_t>(axis));
      break;
    }
  }
  if (permutation.size() != shape.size()) {
    log.extra_verbose(log_modules::kUtil, "Array of shape: " + py_tuple_repr(array.shape()) +
                                              " cannot be permuted to: " + py_list_repr(shape));
    return array;
  }
  if (array.shape() == shape) return array;
  log.info(log_modules::kUtil, "Permuted array of shape: " + py_tuple_repr(array.shape()) +
                                   " to: " + py_tuple_repr(shape) + " using permutation " +
                                   py_list_repr(permutation));
  return array.transposed(permutation);
}

Array match_shape(const Array& array, const DimList& expected, Logger& log) {
  const Shape shape = frozen(expected, array);
  Array result = array;
  if (result.shape().size() != shape.size()) result = reshape(result, shape, log);
  if (result.shape().size() == shape.size()) result = permute(result, shape, log);
  return reshape(result, shape, log);
}

Array adapt(const std::string& name, const Array& given, const TensorInfo& info, Logger& log) {
  Array array = given;
  if (info.dtype != DataType::kUndefined && info.dtype != array.dtype()) {
    array = cast(name, array, info.dtype, log);
  }
  if (!info.shape || is_valid_override(array.shape(), *info.shape)) return array;
  log.warning(log_modules::kDataLoader,
              tensor(name) + "Buffer shape (" + py_tuple_repr(array.shape()) +
                  ") does not match expected input shape (" + bounded_shape_text(*info.shape) +
                  "). Attempting to transpose/reshape.");
  array = match_shape(array, *info.shape, log);
  if (is_valid_override(array.shape(), *info.shape)) return array;
  throw FeedError(name, tensor(name) +
                            "Cannot reuse input data due to mismatch in shape or data type.\n" +
                            "Note: Provided input: [dtype=" + std::string(name_of(array.dtype())) +
                            ", shape=" + py_tuple_repr(array.shape()) +
                            "], Requested input: [dtype=" + std::string(name_of(info.dtype)) +
                            ", shape=" + bounded_shape_text(*info.shape) + "]");
}

Value adapt_value(const std::string& name, const Value& given, const TensorInfo& info,
                  Logger& log) {
  if (const Array* array = given.as_tensor()) return adapt(name, *array, info, log);
  const Value::Sequence* items = given.as_sequence();
  if (items == nullptr || info.kind == ValueKind::kTensor) return given;
  const TensorInfo each{info.dtype, std::nullopt, {}};
  Value::Sequence adapted;
  for (const Value& item : *items) {
    const Array* array = item.as_tensor();
    adapted.push_back(array ? adapt(item_name(name, adapted.size()), *array, each, log) : item);
  }
  return adapted;
}

}  // namespace

ValueMap adapt_feed(const ValueMap& feed, const Metadata& inputs, Logger& log) {
  ValueMap adapted;
  size_t place = 0;
  for (const auto& [name, info] : inputs) {
    const auto found = find_name(name, feed, place++);
    if (!found) {
      throw FeedError(name, tensor(name) + "Does not exist in the provided input data.");
    }
    if (*found != name) {
      log.warning(log_modules::kDataLoader, tensor(name) + "Buffer name (" + std::string(*found) +
                                                ") does not match expected input name (" + name +
                                                ").");
    }
    adapted.set(name, adapt_value(name, *feed.find(*found), info, log));
  }
  return adapted;
}

}  // namespace polygraphy
