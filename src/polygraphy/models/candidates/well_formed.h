// Detects malformed candidates, which would fail a check for unrelated reasons.
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
// Results of unknown operators keep their declarations, and so do inputs of bodies. Returns the
// number of nodes on which inference failed, and of tensors without elements. O(model).
size_t infer_anew(graphsurgeon::Model& model);

// Judgements on candidates, by the keys of their tests, so that a search that runs again examines
// each only once.
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
