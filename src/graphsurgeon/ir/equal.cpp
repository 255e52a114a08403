#include "graphsurgeon/ir/equal.h"
#include "graphsurgeon/ir/domain.h"

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace graphsurgeon {

namespace {

bool same_values(const PayloadPtr& a, const PayloadPtr& b) {
  if (a == b) return true;
  if (!a || !b || a->dtype() != b->dtype() || a->shape() != b->shape()) return false;
  return polygraphy::bitwise_equal(a->load("").contiguous_aligned(),
                                   b->load("").contiguous_aligned());
}

bool same_floats(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

// Nested graphs wait in a list.
class Comparison {
 public:
  bool graphs(const Graph& a, const Graph& b) {
    todo_.emplace_back(&a, &b);
    return finish();
  }
  bool one_node(const Node& a, const Node& b) { return nodes(a, b) && finish(); }
  bool one_attribute(const Attribute& a, const Attribute& b) {
    return attributes(a, b) && finish();
  }

 private:
  using Pair = std::pair<const Graph*, const Graph*>;

  bool finish() {
    while (!todo_.empty()) {
      const Pair pair = todo_.back();
      todo_.pop_back();
      if (pair.first != pair.second && seen_.insert(pair).second &&
          !bodies(*pair.first, *pair.second)) {
        return false;
      }
    }
    return true;
  }

  template <typename List>
  static bool same_names(const List& a, const List& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(),
                      [](const auto& x, const auto& y) { return x->name() == y->name(); });
  }

  bool bodies(const Graph& a, const Graph& b) {
    return same_names(a.inputs(), b.inputs()) && same_names(a.outputs(), b.outputs()) &&
           a.nodes().size() == b.nodes().size() &&
           std::equal(a.nodes().begin(), a.nodes().end(), b.nodes().begin(),
                      [&](const NodeRef& x, const NodeRef& y) { return nodes(*x, *y); });
  }

  bool nodes(const Node& a, const Node& b) {
    if (a.op() != b.op() || a.name() != b.name() || a.overload() != b.overload() ||
        normalized_domain(a.domain()) != normalized_domain(b.domain()) ||
        !same_names(a.inputs(), b.inputs()) || !same_names(a.outputs(), b.outputs()) ||
        a.attributes().size() != b.attributes().size()) {
      return false;
    }
    return std::all_of(a.attributes().begin(), a.attributes().end(), [&](const Attribute& x) {
      const Attribute* y = b.attribute(x.name);
      return y && attributes(x, *y);
    });
  }

  bool attributes(const Attribute& a, const Attribute& b) {
    return a.name == b.name && a.type == b.type && a.ref_attr_name == b.ref_attr_name &&
           a.encoded == b.encoded && a.value.index() == b.value.index() &&
           std::visit(
               [&](const auto& x) { return same(x, std::get<std::decay_t<decltype(x)>>(b.value)); },
               a.value);
  }

  static bool same(std::monostate, std::monostate) { return true; }
  static bool same(float a, float b) { return same_floats(a, b); }
  static bool same(const TensorValue& a, const TensorValue& b) {
    return same_values(a.values, b.values);
  }
  bool same(const GraphRef& a, const GraphRef& b) {
    if (a && b) todo_.emplace_back(a.get(), b.get());
    return static_cast<bool>(a) == static_cast<bool>(b);
  }
  template <typename T>
  static bool same(const T& a, const T& b) {
    return a == b;
  }
  template <typename T>
  bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                              [&](const T& x, const T& y) { return same(x, y); });
  }

  std::vector<Pair> todo_;
  std::set<Pair> seen_;
};

bool same_imports(const std::vector<OpsetImport>& a, const std::vector<OpsetImport>& b) {
  const auto sorted = [](const std::vector<OpsetImport>& imports) {
    std::set<std::pair<std::string_view, int64_t>> set;
    for (const OpsetImport& import : imports)
      set.emplace(normalized_domain(import.domain), import.version);
    return set;
  };
  return sorted(a) == sorted(b);
}

}  // namespace

bool structurally_equal(const Tensor& a, const Tensor& b) {
  return same_name(a, b);
}

bool structurally_equal(const Attribute& a, const Attribute& b) {
  return Comparison().one_attribute(a, b);
}

bool structurally_equal(const Node& a, const Node& b) {
  return Comparison().one_node(a, b);
}

bool structurally_equal(const Graph& a, const Graph& b) {
  return Comparison().graphs(a, b);
}

bool structurally_equal(const Function& a, const Function& b) {
  return a.name() == b.name() && a.domain() == b.domain() && a.overload() == b.overload() &&
         same_imports(a.opset_imports, b.opset_imports) && Comparison().graphs(a, b);
}

bool structurally_equal(const Model& a, const Model& b) {
  const auto functions = [](const Model& m) {
    std::set<std::pair<std::string_view, std::string_view>> ids;
    for (const FunctionRef& f : m.functions) ids.emplace(f->domain(), f->name());
    return ids;
  };
  return a.ir_version == b.ir_version && same_imports(a.opset_imports, b.opset_imports) &&
         functions(a) == functions(b) && static_cast<bool>(a.graph) == static_cast<bool>(b.graph) &&
         (!a.graph || structurally_equal(*a.graph, *b.graph));
}

}  // namespace graphsurgeon
