#include "polygraphy/diagnosis/reduce/node_search.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"
#include "polygraphy/diagnosis/reduce/intermediates/describe.h"
#include "polygraphy/diagnosis/search/ddmin.h"
#include "polygraphy/diagnosis/search/parallel_bisect.h"
#include "polygraphy/models/candidates/extract_subset.h"
#include "polygraphy/models/candidates/split_at.h"
#include "polygraphy/models/candidates/used_tensors.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using NameSet = std::set<std::string, std::less<>>;

// So few nodes are tried with recorded values once more.
constexpr size_t kFew = 8;

// Integers of so many elements may be a shape, axes or indices.
constexpr int64_t kLongestShape = 16;

// What the check runs a candidate on, where the nodes that made its inputs have gone.
enum class Inputs {
  kGenerated,     // values that the check makes; what may be a shape is a constant, as recorded
  kAllGenerated,  // no constants
  kRecorded,      // constants, all of them
};

class NodeSearch {
 public:
  // `steps`: positions of the nodes that may go. `constants`: what the other nodes make.
  NodeSearch(const Model& model, std::vector<size_t> steps, NameSet constants, ShrinkTools& tools,
             std::string key)
      : model_(model),
        steps_(std::move(steps)),
        constants_(std::move(constants)),
        tools_(tools),
        key_(std::move(key)),
        whole_(steps_.size()) {
    std::iota(whole_.begin(), whole_.end(), size_t{0});
    for (const TensorRef& input : model.graph->inputs()) own_inputs_.emplace(input->name());
    find_sources();
  }

  // What is left. `first` (may be empty) is asked before anything else.
  Part run(const Part& first = {}) {
    if (whole_.size() < 2) return whole_;
    if (!first.empty() && first.size() < whole_.size() && fails(first)) return first;
    ParallelBisect ends(whole_.size(), [&](const Part& part, const auto&) { return fails(part); });
    // One node is at fault most often, for all values, or for those that it has in the model (which
    // the fault may have spoiled behind the end).
    const auto [passing, failing] = ends.narrow();
    for (size_t i = failing; i-- > passing;) {
      if (fails_likely({i}, i == passing)) return {i};
    }
    const size_t end = ends.prove();
    const Part last = {end - 1};
    if (end == 1 || fails(last)) return last;
    if (values_may_matter(last) &&
        (fails_with(last, Inputs::kAllGenerated) || fails_with(last, Inputs::kRecorded))) {
      return last;
    }
    Part part = slice(shortest_end(end), end);
    part = thin_out(std::move(part));
    if (inputs_ != Inputs::kRecorded && part.size() > 1 && part.size() <= kFew &&
        values_may_matter(part)) {
      part = ddmin(part, [&](const Part& asked, const auto&) {
        return fails_with(asked, Inputs::kRecorded);
      });
    }
    return part;
  }

  // Whether a part fails, as it is.
  bool fails_alone(const Part& part) {
    if (fails(part)) return true;
    return part.size() <= kFew && values_may_matter(part) &&
           (fails_with(part, Inputs::kAllGenerated) || fails_with(part, Inputs::kRecorded));
  }

  const Part& whole() const { return whole_; }
  Model result(const Part& part) const { return make(part, inputs_); }

 private:
  static Part slice(size_t from, size_t to) {
    Part part(to - from);
    std::iota(part.begin(), part.end(), from);
    return part;
  }

  // Where the shortest failing range that ends at `end` begins. The last node alone passes.
  size_t shortest_end(size_t end) {
    const auto search = [&] {
      // The positions before the last one, from back to front.
      ParallelBisect begins(end - 1, [&](const Part& more, const auto&) {
        Part part;
        for (auto i = more.rbegin(); i != more.rend(); ++i) part.push_back(end - 2 - *i);
        part.push_back(end - 1);
        return fails(part);
      });
      const auto [passing, failing] = begins.narrow();
      for (size_t more = failing; more > passing; --more) {
        const size_t begin = end - 1 - more;
        if (fails_likely({begin, end - 1}, more == passing + 1)) return begin;
      }
      return end - 1 - begins.prove();
    };
    const size_t begin = search();
    if (begin > 0 || !values_may_matter(slice(1, end))) return begin;
    // A fault that needs values that only the model makes would keep everything before it.
    inputs_ = Inputs::kRecorded;
    const size_t recorded = search();
    if (recorded == 0) inputs_ = Inputs::kGenerated;
    return recorded;
  }

  // Of a range no end of which can go.
  Part thin_out(Part range) {
    const size_t begin = range.front(), end = range.back() + 1;
    return ddmin(range, [&](const Part& part, const auto&) {
      const bool is_range = part.back() - part.front() + 1 == part.size();
      if (is_range && (part.front() == begin || part.back() + 1 == end)) return false;
      return fails(part);
    });
  }

  // Of each step, those that it reads from.
  void find_sources() {
    std::unordered_map<const Tensor*, size_t> made_by;
    for (size_t i = 0; i < steps_.size(); ++i) {
      for (const Tensor* output : model_.graph->nodes()[steps_[i]]->outputs()) made_by[output] = i;
    }
    const UsedTensors used(model_);
    sources_.resize(steps_.size());
    for (size_t i = 0; i < steps_.size(); ++i) {
      used.of(*model_.graph->nodes()[steps_[i]], [&](const Tensor& tensor) {
        const auto found = made_by.find(&tensor);
        if (found != made_by.end()) sources_[i].push_back(found->second);
      });
    }
  }

  bool reads_what_has_gone(const Part& part) const {
    std::vector<bool> kept(steps_.size());
    for (const size_t index : part) kept[index] = true;
    for (const size_t index : part) {
      for (const size_t source : sources_[index]) {
        if (!kept[source]) return true;
      }
    }
    return false;
  }

  bool values_may_matter(const Part& part) const {
    return reads_what_has_gone(part) && has_one_sample();
  }

  bool fails(const Part& part) { return fails_likely(part, std::nullopt); }
  // `likely`: what is expected.
  bool fails_likely(const Part& part, std::optional<bool> likely) {
    return fails(part, inputs_, likely);
  }

  // From here on with such inputs, if it does.
  bool fails_with(const Part& part, Inputs inputs) {
    if (!fails(part, inputs)) return false;
    inputs_ = inputs;
    return true;
  }

  // Then what it leads to is all that there is.
  bool has_one_sample() const {
    try {
      return tools_.intermediates.inputs(0) && !tools_.intermediates.several_samples();
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {
      return false;
    }
  }

  bool fails(const Part& part, Inputs inputs, std::optional<bool> likely = {}) {
    const bool recorded = inputs == Inputs::kRecorded;
    const std::string with = recorded                          ? " recorded"
                             : inputs == Inputs::kAllGenerated ? " generated"
                                                               : "";
    return tools_.test.fails(
        {.key = key_ + to_text(part) + with,
         .about = "Keeping " + std::to_string(part.size()) + " of " +
                  std::to_string(steps_.size()) +
                  (constants_.empty() ? " nodes that depend on inputs" : " nodes") +
                  (recorded ? ", with recorded values" : ""),
         .make = [this, part, inputs] { return make(part, inputs); },
         .likely = likely});
  }

  // Random numbers make no sense there.
  static bool may_be_shape(const Tensor& tensor) {
    if (tensor.dtype() != DataType::kInt64 || !tensor.declared_shape()) return false;
    const graphsurgeon::DimList& shape = *tensor.declared_shape();
    return shape.empty() ||
           (shape.size() == 1 && shape[0].is_static() && shape[0].value() <= kLongestShape);
  }

  Model make(const Part& part, Inputs inputs) const {
    std::vector<size_t> positions;
    for (const size_t index : part) positions.push_back(steps_[index]);
    Model kept = extract_subset(model_, steps_, positions);
    std::vector<TensorRef> cut, known;
    for (const TensorRef& input : kept.graph->inputs()) {
      if (!own_inputs_.contains(input->name()) && !input->is_constant()) cut.push_back(input);
    }
    const bool one_sample = !cut.empty() && has_one_sample();
    // Dimensions that differ from one input to the next would make it fail, or pass, for that.
    if (one_sample) describe_on_sample(cut, model_, tools_.intermediates);
    describe_interface(kept, tools_.intermediates, tools_.log);
    for (const TensorRef& tensor : cut) {
      if (inputs == Inputs::kRecorded || constants_.contains(tensor->name()) ||
          (inputs == Inputs::kGenerated && one_sample && may_be_shape(*tensor))) {
        known.push_back(tensor);
      }
    }
    if (known.empty()) return kept;
    ArrayMap values;
    try {
      values = tools_.intermediates.values_in(model_, names_of(known));
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {  // there is no sample: they stay inputs
    }
    for (const TensorRef& tensor : known) {
      if (const Array* value = values.find(std::string(tensor->name()))) {
        freeze(kept, *tensor, *value);
      }
    }
    return kept;
  }

  const Model& model_;
  const std::vector<size_t> steps_;
  const NameSet constants_;
  ShrinkTools& tools_;
  const std::string key_;
  Part whole_;
  NameSet own_inputs_;
  std::vector<std::vector<size_t>> sources_;
  Inputs inputs_ = Inputs::kGenerated;  // of candidates
};

NameSet outputs_of(const Model& model, const std::vector<size_t>& positions) {
  NameSet names;
  for (const size_t position : positions) {
    for (const Tensor* output : model.graph->nodes()[position]->outputs()) {
      if (!output->is_empty()) names.emplace(output->name());
    }
  }
  return names;
}

bool makes_any(const Node& node, const NameSet& names) {
  for (const Tensor* output : node.outputs()) {
    if (names.contains(output->name())) return true;
  }
  return false;
}

}  // namespace

std::string structure_key(const Model& model) {
  FingerprintBuilder builder;
  for (const auto* list : {&model.graph->inputs(), &model.graph->initializers()}) {
    builder.add(uint64_t{list->size()});
    for (const TensorRef& tensor : *list) builder.add(tensor->name());
  }
  for (const auto& node : model.graph->nodes()) {
    builder.add(node->op()).add(uint64_t{node->outputs().size()});
    for (const Tensor* output : node->outputs()) builder.add(output->name());
  }
  return builder.value().text();
}

std::unique_ptr<Model> first_failing_part(const Model& model, const std::vector<Part>& parts,
                                          ShrinkTools& tools) {
  const std::string key = structure_key(model) + ": some ";
  std::vector<size_t> steps = reduction_steps(model);
  std::vector<size_t> all(model.graph->nodes().size()), others;
  std::iota(all.begin(), all.end(), size_t{0});
  std::ranges::set_difference(all, steps, std::back_inserter(others));
  for (const Part& part : parts) {
    // What only feeds constants comes along by itself, unless it is what is asked for.
    Part wanted;
    std::ranges::set_intersection(part, steps, std::back_inserter(wanted));
    const bool of_steps = !wanted.empty();
    NodeSearch search(model, of_steps ? steps : all,
                      of_steps ? NameSet() : outputs_of(model, others), tools,
                      key + (of_steps ? "steps " : "nodes "));
    Part indices;
    for (const size_t position : of_steps ? wanted : part) {
      const auto& list = of_steps ? steps : all;
      indices.push_back(
          static_cast<size_t>(std::ranges::lower_bound(list, position) - list.begin()));
    }
    if (search.fails_alone(indices)) return std::make_unique<Model>(search.result(indices));
  }
  return nullptr;
}

std::unique_ptr<Model> fewest_nodes(const Model& model, ShrinkTools& tools) {
  const std::string key = structure_key(model) + ": ";
  const std::vector<size_t> steps = reduction_steps(model);
  NodeSearch search(model, steps, {}, tools, key + "nodes ");
  const Part part = search.run();
  std::unique_ptr<Model> result;
  if (part.size() < search.whole().size()) result = std::make_unique<Model>(search.result(part));

  // Then what feeds constants, if that is still there.
  const Model& left = result ? *result : model;
  const NameSet made_by_steps = outputs_of(model, steps);
  std::vector<size_t> all(left.graph->nodes().size()), others;
  std::iota(all.begin(), all.end(), size_t{0});
  Part without;
  for (const size_t position : all) {
    (makes_any(*left.graph->nodes()[position], made_by_steps) ? without : others)
        .push_back(position);
  }
  if (others.empty()) return result;
  NodeSearch inner(left, all, outputs_of(left, others), tools,
                   key + structure_key(left) + " all nodes ");
  const Part needed = inner.run(without);
  if (needed.size() == all.size()) return result;
  return std::make_unique<Model>(inner.result(needed));
}

}  // namespace polygraphy
