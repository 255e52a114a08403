#include "graphsurgeon/fold/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <utility>

#include "base/size_text.h"

namespace graphsurgeon {

namespace {

using Fate = FoldEntry::Fate;

class Chooser {
 public:
  explicit Chooser(const FoldState& state) : state_(state), entries_(state.entries.size()) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      const FoldEntry& entry = state.entries[i];
      for (const Tensor* t : entry.inputs) {
        const size_t id = id_of(*t);
        entries_[i].inputs.push_back(id);
        ++tensors_[id].uses;
      }
      for (const Tensor* t : entry.node->outputs()) {
        if (!t->is_empty()) entries_[i].outputs.push_back(id_of(*t));
      }
    }
  }

  struct Outcome {
    std::vector<Fate> fates;
    std::vector<std::string> why;
    std::vector<bool> asked;
    int64_t growth = 0;
  };
  // `idle_limit`: whether the inputs of a refused entry may grow the file only a little.
  Outcome run(std::optional<int64_t> limit, bool idle_limit) {
    outcome_ = {};
    idle_limit_ = idle_limit;
    for (const FoldEntry& entry : state_.entries) {
      outcome_.fates.push_back(entry.fate);
      outcome_.why.push_back(entry.why);
    }
    uses_.clear();
    for (const Item& item : tensors_) uses_.push_back(item.uses);
    asked_.assign(entries_.size(), Asked::kNot);
    for (size_t i = 0; i < entries_.size(); ++i) {
      const auto& outputs = entries_[i].outputs;
      if (std::any_of(outputs.begin(), outputs.end(),
                      [&](size_t t) { return tensors_[t].pinned; })) {
        ask(i, Asked::kInEarnest);
      }
    }
    while (!queue_.empty()) {
      const size_t i = queue_.top().second;
      queue_.pop();
      if (outcome_.fates[i] == Fate::kOpen) decide(i, limit);
    }
    for (const Asked asked : asked_) outcome_.asked.push_back(asked != Asked::kNot);
    return std::move(outcome_);
  }

 private:
  struct Item {
    const Tensor* tensor = nullptr;
    int64_t bytes = 0;      // of a constant
    int32_t producer = -1;  // entry
    int64_t uses = 0;       // by entries
    bool pinned = false;    // an output, or used by a node that stays
  };
  struct Links {
    std::vector<size_t> inputs, outputs;  // tensors
  };
  enum class Asked : uint8_t { kNot, kIdly, kInEarnest };

  size_t id_of(const Tensor& tensor) {
    const auto [found, is_new] = ids_.try_emplace(&tensor, tensors_.size());
    if (!is_new) return found->second;
    Item item;
    item.tensor = &tensor;
    const auto fact = state_.facts.find(&tensor);
    if (fact != state_.facts.end()) item.producer = fact->second.entry;
    if (item.producer < 0) {
      if (const PayloadPtr value = state_.value(tensor)) item.bytes = stored_bytes(*value);
    }
    item.pinned = state_.outputs.contains(&tensor);
    for (const Node* consumer : tensor.consumers()) {
      if (item.pinned) break;
      item.pinned = !consumer->outputs().empty() && !state_.entry_of.contains(consumer);
    }
    tensors_.push_back(item);
    return found->second;
  }

  // Requests the results of an entry or, if it is refused, its producers' results.
  void ask(size_t first, Asked how) {
    std::vector<std::pair<size_t, Asked>> todo{{first, how}};
    while (!todo.empty()) {
      const auto [i, asked] = todo.back();
      todo.pop_back();
      if (asked_[i] >= asked) continue;
      asked_[i] = asked;
      if (outcome_.fates[i] == Fate::kRefused) {
        for (const size_t t : entries_[i].inputs) {
          const int32_t producer = tensors_[t].producer;
          if (producer >= 0) todo.emplace_back(static_cast<size_t>(producer), behind(i));
        }
      } else if (outcome_.fates[i] == Fate::kOpen) {
        queue_.push({std::max<int64_t>(state_.entries[i].bytes, 0), i});
      }
    }
  }

  // How the inputs of a refused entry are requested: idly if the limit refused it for its size, and
  // for no other reason.
  Asked behind(size_t i) const {
    const FoldEntry& entry = state_.entries[i];
    return entry.why.empty() || entry.is_too_large ? Asked::kIdly : Asked::kInEarnest;
  }

  void decide(size_t i, std::optional<int64_t> limit) {
    std::vector<size_t> released;
    const int64_t bytes = std::max<int64_t>(state_.entries[i].bytes, 0);
    const int64_t growth = bytes - release(i, released);
    const bool idle = asked_[i] == Asked::kIdly && idle_limit_;
    if ((!limit || outcome_.growth + growth <= *limit || growth <= 0) &&
        (!idle || growth <= kIdleGrowth)) {
      outcome_.fates[i] = Fate::kAccepted;
      outcome_.growth += growth;
      return;
    }
    for (const size_t t : released) ++uses_[t];
    outcome_.fates[i] = Fate::kRefused;
    outcome_.why[i] =
        idle ? std::string("its consumers cannot be folded, so its result would only add bytes")
             : fmt::format("its result would add {} to the {} of growth used so far, of {}",
                           polygraphy::size_text(growth), polygraphy::size_text(outcome_.growth),
                           polygraphy::size_text(*limit));
    asked_[i] = Asked::kNot;
    ask(i, Asked::kInEarnest);
  }

  // Removes the uses of inputs by the entry and by nodes that only it needs. Returns the bytes of
  // the constants that became unused.
  int64_t release(size_t first, std::vector<size_t>& released) {
    int64_t bytes = 0;
    std::vector<size_t> todo{first};
    while (!todo.empty()) {
      const size_t i = todo.back();
      todo.pop_back();
      for (const size_t t : entries_[i].inputs) {
        released.push_back(t);
        if (--uses_[t] > 0 || tensors_[t].pinned) continue;
        bytes += tensors_[t].bytes;
        const int32_t producer = tensors_[t].producer;
        if (producer < 0) continue;
        const auto p = static_cast<size_t>(producer);
        const auto& outputs = entries_[p].outputs;
        if (outcome_.fates[p] != Fate::kAccepted &&
            std::all_of(outputs.begin(), outputs.end(),
                        [&](size_t o) { return uses_[o] == 0 && !tensors_[o].pinned; })) {
          todo.push_back(p);
        }
      }
    }
    return bytes;
  }

  const FoldState& state_;
  std::vector<Links> entries_;
  std::unordered_map<const Tensor*, size_t> ids_;
  std::vector<Item> tensors_;

  // Of one run.
  Outcome outcome_;
  bool idle_limit_ = false;
  std::vector<int64_t> uses_;
  std::vector<Asked> asked_;
  using Candidate = std::pair<int64_t, size_t>;  // bytes, entry
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
};

}  // namespace

int64_t choose(FoldState& state, std::optional<int64_t> limit, int64_t& deferred) {
  Chooser chooser(state);
  Chooser::Outcome outcome = chooser.run(std::nullopt, limit.has_value());
  deferred = 0;
  if (limit && outcome.growth > *limit) {
    const int64_t everything = outcome.growth;
    outcome = chooser.run(limit, true);
    deferred = everything - outcome.growth;
  }
  for (size_t i = 0; i < state.entries.size(); ++i) {
    FoldEntry& entry = state.entries[i];
    if (entry.is_too_large && !entry.is_beyond_memory)
      deferred += std::max<int64_t>(entry.bytes, 0);
    entry.fate = outcome.fates[i];
    entry.why = std::move(outcome.why[i]);
    if (entry.fate == Fate::kRefused && outcome.asked[i]) {
      state.refuse(*entry.node, std::max<int64_t>(entry.bytes, 0), entry.why,
                   entry.is_beyond_memory);
    }
  }
  return outcome.growth;
}

}  // namespace graphsurgeon
