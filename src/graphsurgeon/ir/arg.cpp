#include "graphsurgeon/ir/arg.h"

#include <array>
#include <utility>

#include "base/error.h"

namespace graphsurgeon {

Arg::Arg() = default;
Arg::Arg(const char* text) : value_(std::string(text)) {}
Arg::Arg(std::string_view text) : value_(std::string(text)) {}
Arg::Arg(const std::string& text) : value_(text) {}
Arg::Arg(std::initializer_list<const char*> list)
    : value_(std::vector<std::string>(list.begin(), list.end())) {}
Arg::Arg(std::vector<int64_t> list) : value_(std::move(list)) {}
Arg::Arg(std::vector<double> list) : value_(std::move(list)) {}
Arg::Arg(std::vector<std::string> list) : value_(std::move(list)) {}
Arg::Arg(TensorRef tensor) : value_(std::move(tensor)) {}
Arg::Arg(Tensor* tensor) : value_(TensorRef(tensor)) {}
Arg::Arg(Tensor& tensor) : value_(TensorRef(&tensor)) {}
Arg::Arg(std::vector<TensorRef> tensors) : value_(std::move(tensors)) {}
Arg::Arg(const TensorList& tensors) : value_(tensors.snapshot()) {}
Arg::Arg(Array values) : value_(std::move(values)) {}
Arg::Arg(PayloadPtr values) : value_(std::move(values)) {}
Arg::Arg(GraphRef graph) : value_(std::move(graph)) {}
Arg::Arg(std::vector<GraphRef> graphs) : value_(std::move(graphs)) {}
Arg::Arg(DataType type) : value_(type) {}
Arg::Arg(AttributeRef reference) : value_(std::move(reference)) {}
Arg::Arg(Attribute attribute) : value_(std::move(attribute)) {}
Arg::Arg(Integer, int64_t number) : value_(number) {}
Arg::Arg(Float, double number) : value_(number) {}
Arg::Arg(const Arg&) = default;
Arg::Arg(Arg&&) noexcept = default;
Arg& Arg::operator=(const Arg&) = default;
Arg& Arg::operator=(Arg&&) noexcept = default;
Arg::~Arg() = default;

std::string_view Arg::kind() const {
  static constexpr std::array<std::string_view, std::variant_size_v<Value>> kKinds = {
      "nothing",          "an integer",         "a float",
      "a text",           "a list of integers", "a list of floats",
      "a list of texts",  "a tensor",           "a list of tensors",
      "an array",         "a payload",          "a graph",
      "a list of graphs", "an element type",    "a reference to an attribute",
      "an attribute"};
  return kKinds[value_.index()];
}

// --- parameters of registered operators

void Arg::refuse(std::string_view what, std::string_view wanted) const {
  throw polygraphy::Error(std::string(what) + " is " + std::string(kind()) + ", not " +
                          std::string(wanted));
}

TensorRef Arg::to_tensor(std::string_view what) const {
  if (const auto* tensor = std::get_if<TensorRef>(&value_); tensor && *tensor) return *tensor;
  const auto* list = std::get_if<std::vector<TensorRef>>(&value_);
  if (list && list->size() == 1 && list->front()) return list->front();
  refuse(what, "a tensor");
}

std::vector<TensorRef> Arg::to_tensors(std::string_view what) const {
  if (const auto* list = std::get_if<std::vector<TensorRef>>(&value_)) return *list;
  if (const auto* tensor = std::get_if<TensorRef>(&value_); tensor && *tensor) return {*tensor};
  refuse(what, "a list of tensors");
}

int64_t Arg::to_integer(std::string_view what) const {
  if (const auto* number = std::get_if<int64_t>(&value_)) return *number;
  if (const auto* type = std::get_if<DataType>(&value_)) return static_cast<int64_t>(*type);
  refuse(what, "an integer");
}

double Arg::to_float(std::string_view what) const {
  if (const auto* number = std::get_if<double>(&value_)) return *number;
  if (const auto* number = std::get_if<int64_t>(&value_)) return static_cast<double>(*number);
  refuse(what, "a number");
}

std::vector<int64_t> Arg::to_integers(std::string_view what) const {
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value_)) return *list;
  refuse(what, "a list of integers");
}

std::vector<double> Arg::to_floats(std::string_view what) const {
  if (const auto* list = std::get_if<std::vector<double>>(&value_)) return *list;
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value_)) {
    return std::vector<double>(list->begin(), list->end());
  }
  refuse(what, "a list of numbers");
}

std::string Arg::to_text(std::string_view what) const {
  if (const auto* text = std::get_if<std::string>(&value_)) return *text;
  refuse(what, "a text");
}

std::vector<std::string> Arg::to_texts(std::string_view what) const {
  if (const auto* list = std::get_if<std::vector<std::string>>(&value_)) return *list;
  refuse(what, "a list of texts");
}

Array Arg::to_array(std::string_view what) const {
  if (const auto* array = std::get_if<Array>(&value_)) return *array;
  refuse(what, "an array");
}

// --- attributes

namespace {

class AttributeMaker {
 public:
  AttributeMaker(Store& store, std::string_view name) : store_(store) {
    attribute_.name = store.intern(name);
  }

  Attribute make(const Arg& value) {
    std::visit([&](const auto& v) { put(v, value); }, value.value());
    return std::move(attribute_);
  }

 private:
  template <typename T>
  void set(AttributeType type, T value) {
    attribute_.type = type;
    attribute_.value = std::move(value);
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw polygraphy::Error("attribute '" + std::string(attribute_.name) + "' cannot be " + why);
  }

  void put(std::monostate, const Arg& arg) { refuse(std::string(arg.kind())); }
  void put(int64_t v, const Arg&) { set(AttributeType::kInt, v); }
  void put(double v, const Arg&) { set(AttributeType::kFloat, static_cast<float>(v)); }
  void put(const std::string& v, const Arg&) { set(AttributeType::kString, store_.keep(v)); }
  void put(const std::vector<int64_t>& v, const Arg&) { set(AttributeType::kInts, v); }
  void put(const std::vector<double>& v, const Arg&) {
    std::vector<float> floats;
    floats.reserve(v.size());
    for (const double x : v) floats.push_back(static_cast<float>(x));
    set(AttributeType::kFloats, std::move(floats));
  }
  void put(const std::vector<std::string>& v, const Arg&) {
    std::vector<std::string_view> texts;
    texts.reserve(v.size());
    for (const std::string& text : v) texts.push_back(store_.keep(text));
    set(AttributeType::kStrings, std::move(texts));
  }
  void put(const TensorRef& v, const Arg&) {
    if (!v) refuse("a null tensor");
    if (!v->is_constant()) refuse("the variable '" + std::string(v->name()) + "'");
    put_values(v->payload(), v->name());
  }
  void put(const std::vector<TensorRef>& v, const Arg&) {
    std::vector<TensorValue> values;
    for (const TensorRef& t : v) {
      if (!t || !t->is_constant()) refuse("a list with tensors that are not constants");
      values.push_back({store_.keep(t->name()), t->payload(), {}});
    }
    set(AttributeType::kTensors, std::move(values));
  }
  void put(const Array& v, const Arg&) { put_values(owned_payload(v), {}); }
  void put(const PayloadPtr& v, const Arg&) {
    if (!v) refuse("a null payload");
    put_values(v, {});
  }
  void put(const GraphRef& v, const Arg&) {
    if (!v) refuse("a null graph");
    set(AttributeType::kGraph, v);
  }
  void put(const std::vector<GraphRef>& v, const Arg&) { set(AttributeType::kGraphs, v); }
  void put(DataType v, const Arg&) { set(AttributeType::kInt, static_cast<int64_t>(v)); }
  void put(const AttributeRef& v, const Arg&) {
    attribute_.type = v.type;
    attribute_.ref_attr_name = store_.keep(v.name);
  }
  void put(const Attribute& v, const Arg&) {
    const std::string_view name = attribute_.name;
    attribute_ = v;
    attribute_.name = name;
    attribute_.encoded = {};  // holds the old name
    if (std::holds_alternative<std::monostate>(v.value) && v.ref_attr_name.empty() &&
        !v.encoded.empty() && v.name != name) {
      refuse("a copy of '" + std::string(v.name) + "': its kind cannot be renamed");
    }
    if (v.name == name) attribute_.encoded = v.encoded;
  }
  void put_values(const PayloadPtr& values, std::string_view name) {
    set(values->kind() == Payload::Kind::kSparse ? AttributeType::kSparseTensor
                                                 : AttributeType::kTensor,
        TensorValue{store_.keep(name), values, {}});
  }

  Store& store_;
  Attribute attribute_;
};

}  // namespace

Attribute make_attribute(Store& store, std::string_view name, const Arg& value) {
  return AttributeMaker(store, name).make(value);
}

}  // namespace graphsurgeon
