#include "polygraphy/diagnosis/reduce/loop_iterations.h"

#include <string>

#include "base/error.h"
#include "graphsurgeon/ir/copy.h"
#include "polygraphy/diagnosis/search/bisection.h"
#include "polygraphy/models/candidates/inline_body.h"

namespace polygraphy {

using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

std::optional<Array> value_on_sample(const Tensor& tensor, const Model& model,
                                     Intermediates& intermediates) {
  if (tensor.is_empty()) return std::nullopt;
  try {
    if (tensor.is_constant()) return tensor.values();
    const std::string name(tensor.name());
    const ArrayMap values = intermediates.values_in(model, {name});
    const Array* value = values.find(name);
    return value ? std::optional(*value) : std::nullopt;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  }
}

int64_t iterations_of(const Model& model, const Node& node, Intermediates& intermediates) {
  if (node.op() != "Loop" || node.inputs().empty()) return 0;
  const std::optional<Array> count = value_on_sample(*node.inputs()[0], model, intermediates);
  return count && count->size() == 1 ? count->get_int64(0) : 0;
}

int64_t least_failing_iterations(const Model& model, size_t position, int64_t most,
                                 SearchTools& tools) {
  const auto ended_after = [&](size_t iterations) -> Candidate {
    const auto make = [&model, position, iterations](CandidateTools&) {
      Model candidate = graphsurgeon::copy(model);
      graphsurgeon::Graph& graph = *candidate.graph;
      set_iterations(graph, *graph.nodes()[position], static_cast<int64_t>(iterations));
      return candidate;
    };
    return {.about = "Ending a loop after " + std::to_string(iterations) + " iterations",
            .make = make};
  };
  size_t passing = 0, failing = static_cast<size_t>(most);
  while (failing - passing > 1) {
    const size_t middle = middle_of(passing, failing);
    const bool fails =
        tools.test.fails(ended_after(middle),
                         made_of<Candidate, size_t>(middles_after(passing, failing), ended_after));
    (fails ? failing : passing) = middle;
  }
  return static_cast<int64_t>(failing);
}

}  // namespace polygraphy
