// Candidates that cannot be right are not worth a check: they would fail for reasons of their own.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Shapes follow from the inputs again: those that the model declares behind them may hold no more.
// What nodes of unknown operators make keeps what is declared, and so do inputs of bodies. Returns
// on how many nodes inference failed, and how many tensors came out with nothing in them. O(model).
size_t infer_anew(graphsurgeon::Model& model);

// What has been said of candidates, by the keys of the questions about them: a search that is run
// again, ahead, looks at none twice.
using Judgements = std::map<std::string, bool>;

// Holds candidates against the model that they are made of, which fails and may well be ill-formed
// itself.
class WellFormed {
 public:
  // Both must outlive this. The model is looked at when that is first needed.
  WellFormed(const graphsurgeon::Model& failing, Judgements& known)
      : failing_(failing), known_(known) {}
  // infer_anew(), and whether the standard's checker and inference find no more fault with the
  // candidate than with the model. O(model).
  bool accepts(graphsurgeon::Model& candidate);
  // Whether inference finds fault with the model itself.
  bool is_contradiction();

 private:
  friend class Probe;
  void look();

  const graphsurgeon::Model& failing_;
  Judgements& known_;
  std::optional<size_t> problems_;
  bool has_complaint_ = false;
};

// A candidate that may not be worth a question.
class Probe {
 public:
  // `key`: of the question. `make`: nullopt where it cannot be made. All must outlive this.
  using Make = std::function<std::optional<graphsurgeon::Model>()>;
  Probe(WellFormed& judge, std::string key, Make make)
      : judge_(judge), key_(std::move(key)), make_(std::move(make)) {}

  // Remembered: O(model) for a new key only.
  bool accepted();
  // As it is after infer_anew(). Where it is accepted.
  graphsurgeon::Model& model();

 private:
  WellFormed& judge_;
  std::string key_;
  Make make_;
  std::optional<graphsurgeon::Model> made_;
};

}  // namespace polygraphy
