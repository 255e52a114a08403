#include "graphsurgeon/diff/alignment.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "graphsurgeon/diff/structure.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace graphsurgeon {

namespace {

constexpr uint32_t kNone = Alignment::kNone;

bool same_operator(const Node& a, const Node& b) {
  return a.op() == b.op() && same_domain(a.domain(), b.domain()) && a.overload() == b.overload();
}

std::string_view first_output(const Node& node) {
  for (const Tensor* tensor : node.outputs()) {
    if (!tensor->is_empty()) return tensor->name();
  }
  return {};
}

std::unordered_set<std::string_view> produced_names(const Graph& graph) {
  std::unordered_set<std::string_view> names;
  for (const NodeRef& node : graph.nodes()) {
    for (const Tensor* tensor : node->outputs()) names.insert(tensor->name());
  }
  return names;
}

// Positions sorted by key, within one key in their order.
std::vector<std::pair<uint64_t, uint32_t>> sorted_by_key(const NodeKeys& keys,
                                                         const std::vector<uint32_t>& partners) {
  std::vector<std::pair<uint64_t, uint32_t>> sorted;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (partners[i] == kNone) sorted.emplace_back(keys[i], static_cast<uint32_t>(i));
  }
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

class Aligner {
 public:
  Aligner(const Graph& a, const Graph& b, const AlignmentOptions& options, TensorPairs& tensors)
      : a_(a), b_(b), options_(options), tensors_(tensors) {
    result_.to_b.assign(a.nodes().size(), kNone);
    result_.to_a.assign(b.nodes().size(), kNone);
    left_a_ = a.nodes().size();
    left_b_ = b.nodes().size();
  }

  Alignment run() {
    tensors_.reserve(std::min(a_.nodes().size(), b_.nodes().size()) + a_.initializers().size());
    const bool by_names = options_.names && !options_.positional;
    if (by_names) pair_by_name(a_.inputs(), b_.inputs());
    pair_by_position(a_.inputs(), b_.inputs(), by_names);
    if (options_.names) {
      pair_by_name(a_.initializers(), b_.initializers());
      by_name();
      by_output();
    }
    if (left_a_ > 0 && left_b_ > 0) by_structure();
    for (size_t i = 0; i < result_.to_b.size(); ++i) pair_constants(i);
    if (!options_.names) pair_by_type();
    return std::move(result_);
  }

 private:
  const Node& a(size_t i) const { return *a_.nodes()[i]; }
  const Node& b(size_t j) const { return *b_.nodes()[j]; }

  void match(uint32_t i, uint32_t j) {
    result_.to_b[i] = j;
    result_.to_a[j] = i;
    --left_a_;
    --left_b_;
    const size_t outputs = std::min(a(i).outputs().size(), b(j).outputs().size());
    for (size_t k = 0; k < outputs; ++k) tensors_.add(*a(i).outputs()[k], *b(j).outputs()[k]);
    if (collecting_) fresh_.push_back(i);
  }
  bool open(uint32_t i, uint32_t j) const {
    return result_.to_b[i] == kNone && result_.to_a[j] == kNone;
  }

  void pair_by_name(const std::vector<TensorRef>& a, const std::vector<TensorRef>& b) {
    std::unordered_map<std::string_view, const Tensor*> names;
    // The others of one name, the last first.
    std::unordered_map<std::string_view, std::vector<const Tensor*>> more;
    names.reserve(b.size());
    for (size_t j = b.size(); j-- > 0;) {
      const auto [at, is_new] = names.try_emplace(b[j]->name(), b[j].get());
      if (!is_new) more[b[j]->name()].push_back(std::exchange(at->second, b[j].get()));
    }
    for (const TensorRef& tensor : a) {
      const auto at = names.find(tensor->name());
      if (at == names.end() || tensors_.add(*tensor, *at->second) || more.empty()) continue;
      const auto others = more.find(tensor->name());
      if (others == more.end() || others->second.empty() || tensors_.in_b(*tensor)) continue;
      tensors_.add(*tensor, *others->second.back());
      others->second.pop_back();
    }
  }
  // `names`: only tensors with another name; an inner tensor of either side does not count as
  // renamed.
  void pair_by_position(const std::vector<TensorRef>& a, const std::vector<TensorRef>& b,
                        bool names) {
    std::optional<std::unordered_set<std::string_view>> in_a, in_b;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      if (names) {
        if (tensors_.in_b(*a[i]) || tensors_.in_a(*b[i])) continue;
        if (!in_a) in_a = produced_names(a_), in_b = produced_names(b_);
        if (in_a->contains(b[i]->name()) || in_b->contains(a[i]->name())) continue;
      }
      tensors_.add(*a[i], *b[i]);
    }
  }
  // Constants that no node of this graph uses, paired by type and shape.
  void pair_by_type() {
    const auto key = [](const Tensor& tensor) {
      std::string text = std::to_string(static_cast<int>(tensor.dtype()));
      for (const int64_t dim : tensor.payload()->shape()) text += ' ' + std::to_string(dim);
      return text;
    };
    std::unordered_map<std::string, std::vector<const Tensor*>> free;
    const auto& in_b = b_.initializers();
    for (size_t n = in_b.size(); n-- > 0;) {
      // Constants that nested graphs use are aligned there.
      if (!tensors_.in_a(*in_b[n]) && in_b[n]->consumers().empty()) {
        free[key(*in_b[n])].push_back(in_b[n].get());
      }
    }
    for (const TensorRef& tensor : a_.initializers()) {
      if (tensors_.in_b(*tensor) || !tensor->consumers().empty()) continue;
      const auto at = free.find(key(*tensor));
      if (at == free.end() || at->second.empty()) continue;
      tensors_.add(*tensor, *at->second.back());
      at->second.pop_back();
    }
  }
  // Weights of other names, or all if names do not count, by the slots that read them.
  void pair_constants(size_t i) {
    if (result_.to_b[i] == kNone) return;
    const TensorList &in_a = a(i).inputs(), &in_b = b(result_.to_b[i]).inputs();
    for (size_t k = 0; k < std::min(in_a.size(), in_b.size()); ++k) {
      const Tensor &x = *in_a[k], &y = *in_b[k];
      if (!x.is_constant() || !y.is_constant() || x.dtype() != y.dtype()) continue;
      if (x.payload()->shape() == y.payload()->shape()) tensors_.add(x, y);
    }
  }

  void by_name() {
    struct Place {
      uint32_t position;
      bool unique = true;  // in B
      uint32_t in_a = 0;   // how many have the name
    };
    std::unordered_map<std::string_view, Place> places;
    places.reserve(b_.nodes().size());
    for (uint32_t j = 0; j < result_.to_a.size(); ++j) {
      if (b(j).name().empty()) continue;
      const auto [at, first] = places.try_emplace(b(j).name(), Place{j});
      if (!first) at->second.unique = false;
    }
    std::vector<Place*> found(result_.to_b.size(), nullptr);
    for (uint32_t i = 0; i < found.size(); ++i) {
      const auto at = a(i).name().empty() ? places.end() : places.find(a(i).name());
      if (at == places.end()) continue;
      found[i] = &at->second;
      ++at->second.in_a;
    }
    for (uint32_t i = 0; i < found.size(); ++i) {
      if (!found[i] || !found[i]->unique || found[i]->in_a != 1) continue;
      if (same_operator(a(i), b(found[i]->position))) match(i, found[i]->position);
    }
  }

  void by_output() {
    if (left_a_ == 0 || left_b_ == 0) return;
    std::unordered_map<std::string_view, uint32_t> produced;  // by first output
    for (uint32_t j = 0; j < result_.to_a.size(); ++j) {
      const std::string_view name = first_output(b(j));
      if (result_.to_a[j] == kNone && !name.empty()) produced.try_emplace(name, j);
    }
    for (uint32_t i = 0; i < result_.to_b.size(); ++i) {
      if (result_.to_b[i] != kNone) continue;
      const auto at = produced.find(first_output(a(i)));
      if (at == produced.end()) continue;
      if (open(i, at->second) && same_operator(a(i), b(at->second))) match(i, at->second);
    }
  }

  void by_structure() {
    const NodeIndex index_a(a_), index_b(b_);
    index_a_ = &index_a;
    index_b_ = &index_b;
    collecting_ = true;
    const NodeKeys nodes_a = node_keys(a_), nodes_b = node_keys(b_);
    const NodeKeys sources_a = keys_of_sources(a_, index_a, nodes_a);
    const NodeKeys sources_b = keys_of_sources(b_, index_b, nodes_b);
    const NodeKeys uses_a = keys_of_uses(a_, index_a, nodes_a);
    const NodeKeys uses_b = keys_of_uses(b_, index_b, nodes_b);

    const NodeKeys both_a = combined(sources_a, uses_a), both_b = combined(sources_b, uses_b);
    match_unique(both_a, both_b);
    spread(both_a, both_b);
    match_groups(both_a, both_b, both_a, both_b);

    start_again();
    spread(nodes_a, nodes_b);
    match_groups(sources_a, sources_b, nodes_a, nodes_b);
    match_groups(uses_a, uses_b, nodes_a, nodes_b);
    for (const int radius : {8, 4, 2, 1}) {
      if (left_a_ == 0 || left_b_ == 0) break;
      match_groups(keys_of_surroundings(a_, index_a, nodes_a, radius),
                   keys_of_surroundings(b_, index_b, nodes_b, radius), nodes_a, nodes_b);
    }
    if (left_a_ > 0 && left_b_ > 0) {
      start_again();
      spread(operator_keys(a_), operator_keys(b_));
      replaced_operators();
    }
    collecting_ = false;
  }

  // Everything that is aligned is where spread() goes on from.
  void start_again() {
    fresh_.clear();
    for (uint32_t i = 0; i < result_.to_b.size(); ++i) {
      if (result_.to_b[i] != kNone) fresh_.push_back(i);
    }
  }

  // Keys that one node of each side has.
  void match_unique(const NodeKeys& keys_a, const NodeKeys& keys_b) {
    groups(keys_a, keys_b, [&](std::span<const Keyed> in_a, std::span<const Keyed> in_b) {
      if (in_a.size() == 1 && in_b.size() == 1) match(in_a[0].second, in_b[0].second);
    });
  }

  // Keys that equally many nodes have, in their order; neighbours follow at once, so that
  // neighbourhoods stay together.
  void match_groups(const NodeKeys& keys_a, const NodeKeys& keys_b, const NodeKeys& near_a,
                    const NodeKeys& near_b) {
    groups(keys_a, keys_b, [&](std::span<const Keyed> in_a, std::span<const Keyed> in_b) {
      if (in_a.size() != in_b.size()) return;
      size_t next = 0;
      for (const auto& [key, i] : in_a) {
        if (result_.to_b[i] != kNone) continue;
        while (next < in_b.size() && result_.to_a[in_b[next].second] != kNone) ++next;
        if (next == in_b.size()) break;
        match(i, in_b[next].second);
        spread(near_a, near_b);
      }
    });
  }

  using Keyed = std::pair<uint64_t, uint32_t>;
  template <typename Use>
  void groups(const NodeKeys& keys_a, const NodeKeys& keys_b, Use use) {
    const std::vector<Keyed> in_a = sorted_by_key(keys_a, result_.to_b);
    const std::vector<Keyed> in_b = sorted_by_key(keys_b, result_.to_a);
    const auto run = [](std::span<const Keyed> all) {
      size_t n = 1;
      while (n < all.size() && all[n].first == all[0].first) ++n;
      return n;
    };
    std::span<const Keyed> rest_a(in_a), rest_b(in_b);
    while (!rest_a.empty() && !rest_b.empty()) {
      if (rest_a[0].first < rest_b[0].first) {
        rest_a = rest_a.subspan(1);
      } else if (rest_b[0].first < rest_a[0].first) {
        rest_b = rest_b.subspan(1);
      } else {
        const size_t n = run(rest_a), m = run(rest_b);
        use(rest_a.first(n), rest_b.first(m));
        rest_a = rest_a.subspan(n);
        rest_b = rest_b.subspan(m);
      }
    }
  }

  // From the nodes that were just aligned to their neighbours, where their keys are equal.
  void spread(const NodeKeys& keys_a, const NodeKeys& keys_b) {
    while (!fresh_.empty()) {
      const uint32_t i = fresh_.back();
      fresh_.pop_back();
      const Node &x = a(i), &y = b(result_.to_b[i]);
      for (size_t k = 0; k < std::min(x.inputs().size(), y.inputs().size()); ++k) {
        const Node *from_a = x.inputs()[k]->producer(), *from_b = y.inputs()[k]->producer();
        if (!from_a || !from_b) continue;
        const auto at_a = index_a_->find(*from_a), at_b = index_b_->find(*from_b);
        if (at_a && at_b && keys_a[*at_a] == keys_b[*at_b]) {
          const auto n = static_cast<uint32_t>(*at_a), m = static_cast<uint32_t>(*at_b);
          if (open(n, m)) match(n, m);
        }
      }
      for (size_t k = 0; k < std::min(x.outputs().size(), y.outputs().size()); ++k) {
        match_consumers(*x.outputs()[k], *y.outputs()[k], keys_a, keys_b);
      }
    }
  }

  void match_consumers(const Tensor& x, const Tensor& y, const NodeKeys& keys_a,
                       const NodeKeys& keys_b) {
    const auto free = [](const Tensor& tensor, const NodeIndex& index, const NodeKeys& keys,
                         const std::vector<uint32_t>& partners, std::vector<Keyed>& out) {
      out.clear();
      for (const Node* consumer : tensor.consumers()) {
        const auto at = index.find(*consumer);
        if (at && partners[*at] == kNone) out.emplace_back(keys[*at], static_cast<uint32_t>(*at));
      }
      std::sort(out.begin(), out.end());
      out.erase(std::unique(out.begin(), out.end()), out.end());
    };
    free(x, *index_a_, keys_a, result_.to_b, consumers_a_);
    if (consumers_a_.empty()) return;
    free(y, *index_b_, keys_b, result_.to_a, consumers_b_);
    size_t n = 0, m = 0;
    while (n < consumers_a_.size() && m < consumers_b_.size()) {
      const uint64_t key = consumers_a_[n].first;
      if (key != consumers_b_[m].first) {
        ++(key < consumers_b_[m].first ? n : m);
        continue;
      }
      const size_t begin_a = n, begin_b = m;
      while (n < consumers_a_.size() && consumers_a_[n].first == key) ++n;
      while (m < consumers_b_.size() && consumers_b_[m].first == key) ++m;
      if (n - begin_a != m - begin_b) continue;
      for (size_t k = 0; begin_a + k < n; ++k) {
        match(consumers_a_[begin_a + k].second, consumers_b_[begin_b + k].second);
      }
    }
  }

  // The one node between the same neighbours: the producer of its first input is aligned, and so is
  // a consumer of its first output (or it is the same output of the graph).
  void replaced_operators() {
    std::unordered_map<const Tensor*, size_t> outputs;
    for (size_t k = a_.outputs().size(); k-- > 0;) outputs[a_.outputs()[k].get()] = k;
    const auto in_place_of = [&](const Tensor& output) -> const Tensor* {
      if (output.consumers().empty()) {
        const auto at = outputs.find(&output);
        return at != outputs.end() && at->second < b_.outputs().size()
                   ? b_.outputs()[at->second].get()
                   : nullptr;
      }
      const auto reader = index_a_->find(*output.consumers().front());
      if (!reader || result_.to_b[*reader] == kNone) return nullptr;
      const TensorList &slots = a(*reader).inputs(), &there = b(result_.to_b[*reader]).inputs();
      constexpr size_t kLooked = 64;  // of a Concat of very many
      for (size_t k = 0; k < std::min({slots.size(), there.size(), kLooked}); ++k) {
        if (slots[k] == &output) return there[k];
      }
      return nullptr;
    };
    for (uint32_t i = 0; i < result_.to_b.size(); ++i) {
      if (result_.to_b[i] != kNone || a(i).inputs().empty() || a(i).outputs().empty()) continue;
      const Tensor* input = tensors_.in_b(*a(i).inputs()[0]);
      const Tensor* output = in_place_of(*a(i).outputs()[0]);
      if (!input || !output || !output->producer()) continue;
      const auto at = index_b_->find(*output->producer());
      if (!at || !open(i, static_cast<uint32_t>(*at))) continue;
      const TensorList& inputs = b(*at).inputs();
      if (inputs.size() == a(i).inputs().size() && inputs[0] == input) {
        match(i, static_cast<uint32_t>(*at));
      }
    }
  }

  const Graph &a_, &b_;
  const AlignmentOptions& options_;
  TensorPairs& tensors_;
  Alignment result_;
  size_t left_a_ = 0, left_b_ = 0;
  const NodeIndex *index_a_ = nullptr, *index_b_ = nullptr;  // while going by structure
  bool collecting_ = false;
  std::vector<uint32_t> fresh_;  // aligned, neighbours not looked at yet
  std::vector<Keyed> consumers_a_, consumers_b_;
};

}  // namespace

void TensorPairs::reserve(size_t tensors) {
  to_a_.reserve(tensors);
  to_b_.reserve(tensors);
}

bool TensorPairs::add(const Tensor& a, const Tensor& b) {
  // A constant without a name is damage, and no omitted input.
  const auto is_omitted = [](const Tensor& t) { return t.is_empty() && !t.is_constant(); };
  if (is_omitted(a) || is_omitted(b) || to_a_.contains(&b)) return in_b(a) == &b;
  const auto [at, added] = to_b_.try_emplace(&a, &b);
  if (added) to_a_.emplace(&b, &a);
  return at->second == &b;
}

Alignment align(const Graph& a, const Graph& b, const AlignmentOptions& options,
                TensorPairs& tensors) {
  return Aligner(a, b, options, tensors).run();
}

bool names_contradict(const Graph& a, const Graph& b) {
  const auto results_of = [](const Graph& graph) {
    std::unordered_set<std::string_view> names;
    for (const auto& node : graph.nodes()) {
      for (const Tensor* result : node->outputs()) names.insert(result->name());
    }
    return names;
  };
  const auto in_a = results_of(a), in_b = results_of(b);
  TensorPairs pairs;
  const Alignment nodes = align(a, b, {.names = false}, pairs);
  size_t same = 0, other = 0;
  for (size_t i = 0; i < nodes.to_b.size(); ++i) {
    if (nodes.to_b[i] == Alignment::kNone) continue;
    const Node &here = *a.nodes()[i], &there = *b.nodes()[nodes.to_b[i]];
    if (here.op() != there.op() || here.outputs().empty() || there.outputs().empty()) continue;
    const std::string_view one = here.outputs()[0]->name(), two = there.outputs()[0]->name();
    if (one == two) {
      ++same;
    } else if (in_b.contains(one) || in_a.contains(two)) {
      ++other;
    }
  }
  return other > same;
}

}  // namespace graphsurgeon
