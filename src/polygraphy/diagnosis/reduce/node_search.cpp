#include "polygraphy/diagnosis/reduce/node_search.h"

#include <algorithm>
#include <compare>
#include <deque>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "polygraphy/diagnosis/reduce/intermediates/describe.h"
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

// Integers of up to this number of elements may be a shape, axes or indices.
constexpr int64_t kLongestShape = 16;

// The inputs of a candidate whose producers were removed.
enum class Inputs {
  kGenerated,     // values that the check makes; recorded constants for possible shapes
  kAllGenerated,  // no constants
  kRecorded,      // constants, all of them
};

struct Question {
  Part part;
  Inputs inputs;
  friend auto operator<=>(const Question&, const Question&) = default;
};

class NodeSearch {
 public:
  // `steps`: positions of the nodes that may go. `constants`: results of the other nodes.
  NodeSearch(const Model& model, std::vector<size_t> steps, NameSet constants, SearchTools& tools)
      : model_(model),
        steps_(std::move(steps)),
        constants_(std::move(constants)),
        tools_(tools),
        whole_(steps_.size()) {
    std::iota(whole_.begin(), whole_.end(), size_t{0});
    for (const TensorRef& input : model.graph->inputs()) own_inputs_.emplace(input->name());
    find_sources();
  }

  // The nodes that remain. `first` (may be empty) is tested before all other parts.
  Part run(const Part& first = {}) {
    if (whole_.size() < 2) return whole_;
    if (!first.empty() && first.size() < whole_.size() && fails({first, inputs_})) return first;
    ParallelBisect ends(whole_.size(), test());
    // One node is at fault most often, for all values, or for those that it has in the model (which
    // the fault may have spoiled behind the end).
    if (const auto one = ends.find_one()) return {*one};
    const size_t end = ends.prove();
    const Part last = {end - 1};
    if (end == 1) return last;
    if (const auto found = first_failing(alone(last))) {
      inputs_ = found->inputs;
      return last;
    }
    Part part = slice(shortest_end(end), end);
    part = thin_out(std::move(part));
    if (inputs_ != Inputs::kRecorded && part.size() > 1 && part.size() <= kFew &&
        values_may_matter(part)) {
      Part fewer = ddmin(part, test(Inputs::kRecorded));
      if (fewer.size() < part.size()) inputs_ = Inputs::kRecorded;
      part = std::move(fewer);
    }
    return part;
  }

  // Questions with which run() may begin.
  Upcoming<Question> first_questions() const {
    return whole_.size() < 2 ? Upcoming<Question>()
                             : questions(ParallelBisect::first_questions(whole_.size()));
  }

  // Whether a part fails as it is: it does if one of these does.
  std::vector<Question> alone(const Part& part) const {
    std::vector<Question> questions = {{part, inputs_}};
    if (part.size() <= kFew && reads_what_has_gone(part)) {
      questions.push_back({part, Inputs::kAllGenerated});
      questions.push_back({part, Inputs::kRecorded});
    }
    return questions;
  }

  Candidate candidate(const Question& question) const {
    const auto& [part, inputs] = question;
    return {.about = "Keeping " + std::to_string(part.size()) + " of " +
                     std::to_string(steps_.size()) +
                     (constants_.empty() ? " nodes that depend on inputs" : " nodes") +
                     (inputs == Inputs::kRecorded ? ", with recorded values" : ""),
            .make = [this, question](CandidateTools& tools) { return make(question, tools); }};
  }

  const Part& whole() const { return whole_; }
  Model result(const Part& part) const { return *make({part, inputs_}, tools_); }

 private:
  static Part slice(size_t from, size_t to) {
    Part part(to - from);
    std::iota(part.begin(), part.end(), from);
    return part;
  }

  // Where the shortest failing range that ends at `end` begins. The last node alone passes.
  size_t shortest_end(size_t end) {
    const size_t begin = search_begin(end);
    if (begin > 0 || !values_may_matter(slice(1, end))) return begin;
    // A fault that needs values that only the model makes would keep everything before it.
    inputs_ = Inputs::kRecorded;
    const size_t recorded = search_begin(end);
    if (recorded == 0) inputs_ = Inputs::kGenerated;
    return recorded;
  }

  size_t search_begin(size_t end) {
    // The positions before the last one, from back to front.
    const auto from_back = [end](const Part& more) {
      Part part;
      for (auto i = more.rbegin(); i != more.rend(); ++i) part.push_back(end - 2 - *i);
      part.push_back(end - 1);
      return part;
    };
    ParallelBisect begins(end - 1, [&](const Part& more, const Upcoming<Part>& next) {
      return fails({from_back(more), inputs_}, questions(made_of<Part, Part>(next, from_back)));
    });
    const auto one = begins.find_one();
    return end - 1 - (one ? *one + 1 : begins.prove());
  }

  // Of a range no end of which can go.
  Part thin_out(Part range) {
    const size_t begin = range.front(), end = range.back() + 1;
    const auto is_shorter_range = [begin, end](const Part& part) {
      const bool is_range = part.back() - part.front() + 1 == part.size();
      return is_range && (part.front() == begin || part.back() + 1 == end);
    };
    return ddmin(range, [&](const Part& part, const Upcoming<Part>& next) {
      if (is_shorter_range(part)) return false;
      const auto others = [&](const Part& upcoming) {
        return is_shorter_range(upcoming) ? std::nullopt : std::optional(upcoming);
      };
      return fails({part, inputs_}, questions(made_of<Part, Part>(next, others)));
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
    return reads_what_has_gone(part) && has_one_sample(tools_);
  }

  // Then what it leads to is all that there is.
  static bool has_one_sample(CandidateTools& tools) {
    try {
      return tools.intermediates.inputs(0) && !tools.intermediates.several_samples();
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {
      return false;
    }
  }

  // For searches over parts.
  PartTest test() { return test(inputs_); }
  PartTest test(Inputs inputs) {
    return [this, inputs](const Part& part, const Upcoming<Part>& next) {
      return fails({part, inputs}, questions(next, inputs));
    };
  }

  Upcoming<Question> questions(Upcoming<Part> parts) const {
    return questions(std::move(parts), inputs_);
  }
  static Upcoming<Question> questions(Upcoming<Part> parts, Inputs inputs) {
    return made_of<Question, Part>(std::move(parts),
                                   [inputs](const Part& part) { return Question{part, inputs}; });
  }

  bool fails(const Question& question, const Upcoming<Question>& next = {}) {
    const auto [known, is_new] = known_.try_emplace(question, false);
    if (!is_new) return known->second;
    const auto upcoming = made_of<Candidate, Question>(
        next, [this](const Question& asked) -> std::optional<Candidate> {
          if (known_.contains(asked)) return std::nullopt;
          return candidate(asked);
        });
    return known->second = tools_.test.fails(candidate(question), upcoming);
  }

  std::optional<Question> first_failing(const std::vector<Question>& batch) {
    for (size_t i = 0; i < batch.size(); ++i) {
      if (fails(batch[i], in_order(batch, i + 1))) return batch[i];
    }
    return std::nullopt;
  }

  // Random numbers make no sense there.
  static bool may_be_shape(const Tensor& tensor) {
    if (tensor.dtype() != DataType::kInt64 || !tensor.declared_shape()) return false;
    const graphsurgeon::DimList& shape = *tensor.declared_shape();
    return shape.empty() ||
           (shape.size() == 1 && shape[0].is_static() && shape[0].value() <= kLongestShape);
  }

  std::optional<Model> make(const Question& question, CandidateTools& tools) const {
    const auto& [part, inputs] = question;
    if (inputs != Inputs::kGenerated && !has_one_sample(tools)) return std::nullopt;
    std::vector<size_t> positions;
    for (const size_t index : part) positions.push_back(steps_[index]);
    Model kept = extract_subset(model_, steps_, positions);
    std::vector<TensorRef> cut, known;
    for (const TensorRef& input : kept.graph->inputs()) {
      if (!own_inputs_.contains(input->name()) && !input->is_constant()) cut.push_back(input);
    }
    const bool one_sample = !cut.empty() && has_one_sample(tools);
    // Dimensions that differ from one input to the next would make it fail, or pass, for that.
    if (one_sample) describe_on_sample(cut, model_, tools.intermediates);
    describe_interface(kept, tools.intermediates, tools.log);
    for (const TensorRef& tensor : cut) {
      if (inputs == Inputs::kRecorded || constants_.contains(tensor->name()) ||
          (inputs == Inputs::kGenerated && one_sample && may_be_shape(*tensor))) {
        known.push_back(tensor);
      }
    }
    if (known.empty()) return kept;
    ArrayMap values;
    try {
      values = tools.intermediates.values_in(model_, tensor_names(known));
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
  SearchTools& tools_;
  Part whole_;
  NameSet own_inputs_;
  std::vector<std::vector<size_t>> sources_;
  Inputs inputs_ = Inputs::kGenerated;  // of candidates
  std::map<Question, bool> known_;      // whether they fail
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

std::unique_ptr<Model> first_failing_part(const Model& model, const std::vector<Part>& parts,
                                          SearchTools& tools) {
  std::vector<size_t> steps = reduction_steps(model);
  std::vector<size_t> all(model.graph->nodes().size()), others;
  std::iota(all.begin(), all.end(), size_t{0});
  std::ranges::set_difference(all, steps, std::back_inserter(others));
  std::deque<NodeSearch> searches;  // one for each part so far
  std::deque<Candidate> drawn;      // of the last one
  const auto search_next = [&](const Part& part) {
    // Nodes that only feed constants follow by themselves, unless the part has no other nodes.
    Part wanted;
    std::ranges::set_intersection(part, steps, std::back_inserter(wanted));
    const bool of_steps = !wanted.empty();
    const auto& list = of_steps ? steps : all;
    NodeSearch& search =
        searches.emplace_back(model, list, of_steps ? NameSet() : outputs_of(model, others), tools);
    Part indices;
    for (const size_t position : of_steps ? wanted : part) {
      indices.push_back(
          static_cast<size_t>(std::ranges::lower_bound(list, position) - list.begin()));
    }
    for (const auto& question : search.alone(indices)) drawn.push_back(search.candidate(question));
  };
  const auto found = tools.test.first_failing([&]() -> std::optional<Candidate> {
    if (drawn.empty() && searches.size() < parts.size()) search_next(parts[searches.size()]);
    if (drawn.empty()) return std::nullopt;
    Candidate candidate = std::move(drawn.front());
    drawn.pop_front();
    return candidate;
  });
  return found ? std::make_unique<Model>(*found->candidate.make(tools)) : nullptr;
}

Upcoming<Candidate> upcoming_of_fewest_nodes(const Model& model, SearchTools& tools) {
  return [&, search = std::shared_ptr<NodeSearch>(),
          questions = Upcoming<Question>()]() mutable -> std::optional<Candidate> {
    if (!search) {
      search = std::make_shared<NodeSearch>(model, reduction_steps(model), NameSet(), tools);
      questions = search->first_questions();
    }
    const auto question = take_next(questions);
    return question ? std::optional(search->candidate(*question)) : std::nullopt;
  };
}

std::unique_ptr<Model> fewest_nodes(const Model& model, SearchTools& tools) {
  const std::vector<size_t> steps = reduction_steps(model);
  NodeSearch search(model, steps, {}, tools);
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
  NodeSearch inner(left, all, outputs_of(left, others), tools);
  const Part needed = inner.run(without);
  if (needed.size() == all.size()) return result;
  return std::make_unique<Model>(inner.result(needed));
}

}  // namespace polygraphy
