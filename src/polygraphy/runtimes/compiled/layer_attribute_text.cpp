#include "polygraphy/runtimes/compiled/layer_attribute_text.h"

#include "base/arrays/dtype.h"
#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"

namespace polygraphy {
namespace {

struct Printer {
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return py_float_repr(value); }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const LayerAttribute::Enumerator& value) const {
    return value.type + "." + value.name;
  }
  std::string operator()(const LayerAttribute::Dims& value) const {
    return py_tuple_repr(value.sizes);
  }
  std::string operator()(const LayerAttribute::Permutation& value) const {
    return py_tuple_repr(value.order);
  }
  std::string operator()(const std::vector<double>& value) const {
    std::string text = "[";
    for (const double each : value) text += (text.size() > 1 ? ", " : "") + py_float_repr(each);
    return text + "]";
  }
  std::string operator()(const LayerAttribute::Object& value) const { return value.name; }
  std::string operator()(const LayerAttribute::Weights& value) const {
    if (!value.values.empty()) return numpy_str(value.values);
    return "Weights: [dtype=" + std::string(name_of(value.dtype)) + ", shape=[" +
           std::to_string(value.count) + "]]";
  }
};

}  // namespace

std::string attribute_text(const LayerAttribute& attribute) {
  return std::visit(Printer(), attribute.value);
}

}  // namespace polygraphy
