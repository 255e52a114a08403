#include "graphsurgeon/diff/attribute_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>

#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "graphsurgeon/diff/value_text.h"

namespace graphsurgeon {

namespace {

// Longer lists are described by how they differ.
constexpr int64_t kShown = 16;  // elements

std::string tensor_text(const Payload& payload, const DiffOptions& options) {
  std::string text = payload_type_text(payload);
  if (!options.weights || !options.read_weights || payload.size() > kShown) return text;
  std::string values = polygraphy::numpy_str(payload.load(""), {.line_width = -1});
  std::replace(values.begin(), values.end(), '\n', ' ');
  return text + ' ' + values;
}

class Comparison {
 public:
  Comparison(const DiffOptions& options, std::vector<Change>& changes)
      : options_(options), changes_(changes) {}

  void put(const Attribute& a, const Attribute& b) {
    std::string what = label(a.name);
    if (a.ref_attr_name != b.ref_attr_name || a.type != b.type ||
        a.value.index() != b.value.index()) {
      return add(std::move(what), a, b);
    }
    const auto* tensor_a = std::get_if<TensorValue>(&a.value);
    if (tensor_a) {
      put_tensors(std::move(what), *tensor_a, std::get<TensorValue>(b.value));
    } else if (const auto* list = std::get_if<std::vector<TensorValue>>(&a.value)) {
      const auto& other = std::get<std::vector<TensorValue>>(b.value);
      if (list->size() != other.size()) return add(std::move(what), a, b);
      for (size_t i = 0; i < list->size(); ++i) {
        put_tensors(fmt::format("{}[{}]", what, i), (*list)[i], other[i]);
      }
    } else if (a.holds_graphs()) {
      if (a.graphs().size() != b.graphs().size()) add(std::move(what), a, b);
    } else if (!std::visit(
                   [&](const auto& x) {
                     return same(x, std::get<std::decay_t<decltype(x)>>(b.value));
                   },
                   a.value) ||
               (a.value.index() == 0 && a.encoded != b.encoded)) {
      add(std::move(what), a, b);
    }
    if (options_.metadata && options_.docs && a.unknown_fields != b.unknown_fields) {
      changes_.push_back({label(a.name) + ": other fields",
                          fmt::format("{} bytes", a.unknown_fields.size()),
                          fmt::format("{} bytes", b.unknown_fields.size())});
    }
  }

  void put_one(const Attribute& attribute, bool removed) {
    Change change{label(attribute.name), {}, {}};
    (removed ? change.before : change.after) = text_of(attribute);
    changes_.push_back(std::move(change));
  }

 private:
  static std::string label(std::string_view name) {
    return "attribute " + polygraphy::py_str_repr(name);
  }

  std::string text_of(const Attribute& attribute) const {
    const auto* tensor = std::get_if<TensorValue>(&attribute.value);
    return tensor && tensor->values ? tensor_text(*tensor->values, options_)
                                    : attribute_text(attribute);
  }

  void add(std::string what, const Attribute& a, const Attribute& b) {
    Change change{std::move(what), text_of(a), text_of(b)};
    if (change.before == change.after) distinguish(change, a, b);
    changes_.push_back(std::move(change));
  }

  // Long values with the same beginning.
  static void distinguish(Change& change, const Attribute& a, const Attribute& b) {
    std::visit(
        [&](const auto& x) {
          using T = std::decay_t<decltype(x)>;
          const auto& y = std::get<T>(b.value);
          if constexpr (std::is_same_v<T, std::vector<int64_t>> ||
                        std::is_same_v<T, std::vector<float>>) {
            size_t i = 0;
            while (i < std::min(x.size(), y.size()) && same(x[i], y[i])) ++i;
            if (i == x.size() || i == y.size()) return;
            *change.before += fmt::format("; at {}: {}", i, x[i]);
            *change.after += fmt::format("; at {}: {}", i, y[i]);
          }
        },
        a.value);
  }

  void put_tensors(std::string what, const TensorValue& a, const TensorValue& b) {
    if (!a.values || !b.values) {
      if (!a.values != !b.values) changes_.push_back({std::move(what), "tensor", "tensor"});
      return;
    }
    const bool same_type =
        a.values->dtype() == b.values->dtype() && a.values->shape() == b.values->shape();
    if (!same_type) {
      changes_.push_back(
          {std::move(what), tensor_text(*a.values, options_), tensor_text(*b.values, options_)});
      return;
    }
    if (!options_.weights) return;
    const auto values = weight_diff(*a.values, *b.values, "", options_);
    if (!values) return;
    if (a.values->size() <= kShown && options_.read_weights) {
      changes_.push_back(
          {std::move(what), tensor_text(*a.values, options_), tensor_text(*b.values, options_)});
    } else {
      const std::string type = payload_type_text(*a.values);
      changes_.push_back({std::move(what), type, type + ": " + to_text(*values)});
    }
  }

  static bool same(float a, float b) {
    return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
  }
  static bool same(const std::vector<float>& a, const std::vector<float>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](float x, float y) { return same(x, y); });
  }
  // Tensors and graphs have been dealt with.
  static bool same(const TensorValue&, const TensorValue&) { return true; }
  static bool same(const std::vector<TensorValue>&, const std::vector<TensorValue>&) {
    return true;
  }
  template <typename T>
  static bool same(const T& a, const T& b) {
    return a == b;
  }

  const DiffOptions& options_;
  std::vector<Change>& changes_;
};

}  // namespace

std::optional<WeightDiff> weight_diff(const Payload& a, const Payload& b, std::string_view tensor,
                                      const DiffOptions& options) {
  if (options.read_weights) return compare_weights(a, b, tensor, options.tolerances);
  if (same_bytes(a, b, tensor)) return std::nullopt;
  WeightDiff unread;
  unread.size = a.size();
  return unread;
}

std::string to_text(const WeightDiff& values) {
  if (values.different == 0) return "other values";
  std::string text = fmt::format("{} of {} elements differ", values.different, values.size);
  if (values.max_abs) text += ", by " + polygraphy::format_g(*values.max_abs, 9) + " at most";
  if (values.max_ulp) text += fmt::format(" ({} ulp)", *values.max_ulp);
  return text + fmt::format(", first at [{}]: {} -> {}", fmt::join(values.first, ", "),
                            values.before, values.after);
}

void put_attribute_changes(std::vector<Change>& changes, const Node& a, const Node& b,
                           const DiffOptions& options) {
  const auto in_a = a.attributes(), in_b = b.attributes();
  if (in_a.empty() && in_b.empty()) return;
  Comparison comparison(options, changes);
  std::map<std::string_view, std::pair<const Attribute*, const Attribute*>> names;
  for (const Attribute& attribute : in_a) names[attribute.name].first = &attribute;
  for (const Attribute& attribute : in_b) names[attribute.name].second = &attribute;
  for (const auto& [name, both] : names) {
    if (both.first && both.second) {
      comparison.put(*both.first, *both.second);
    } else {
      comparison.put_one(both.first ? *both.first : *both.second, both.first != nullptr);
    }
  }
}

}  // namespace graphsurgeon
