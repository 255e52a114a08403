// Arithmetic on sizes of which some are known by name only. Names of computed sizes are formulas in
// the form of ONNX Runtime's symbolic shape inference: "2*batch", "floor(height/2 + 1/2)",
// "Min(512, sequence)", "past + 1".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/ir/dim.h"
#include "graphsurgeon/sizes/atom_table.h"

namespace graphsurgeon {

// A Dim is unknown, a number, or a formula in names, possibly with a fraction as value
// ("height/2"). Every name stands for an integer that is not negative. A name that the model
// declares counts as a formula if it is one ("past_sequence_length + 1"), and keeps its form where
// it is the result.
//
// Equal values may have different formulas, but equal formulas have equal values. A result that is
// not known, too large, or has no short formula is Dim(). Every operation is deterministic, and
// takes time in the length of its formulas only, which is limited.
class SizeAlgebra {
 public:
  SizeAlgebra() = default;
  SizeAlgebra(const SizeAlgebra&) = delete;
  SizeAlgebra& operator=(const SizeAlgebra&) = delete;

  Dim sum(const Dim& a, const Dim& b);
  Dim difference(const Dim& a, const Dim& b);
  Dim product(const Dim& a, const Dim& b);
  // Also for fractions. Only by constants, or where the result is a formula without a quotient.
  Dim quotient(const Dim& a, const Dim& b);
  // Rounded down. Division by 0 is unknown for constants, and taken not to happen for names.
  Dim floor_quotient(const Dim& a, const Dim& b);
  Dim remainder(const Dim& a, const Dim& b);  // a - b * floor_quotient(a, b)
  Dim floor(const Dim& a);
  Dim ceiling(const Dim& a);
  Dim minimum(const Dim& a, const Dim& b);
  Dim maximum(const Dim& a, const Dim& b);

  // Of dimensions that NumPy's broadcasting makes one: of equal ones, or of 1 and any other. Where
  // the formulas do not say which, the result is "Broadcast(a, b)".
  Dim broadcast(const Dim& a, const Dim& b);

  // False where there is no proof.
  bool is_integer(const Dim& a);
  bool is_at_least(const Dim& a, const Dim& b);
  bool is_equal(const Dim& a, const Dim& b);

  // Some tensor has this dimension: it is not negative, even if its formula does not say so.
  void note_size(const Dim& dim);
  void forget_sizes() { sizes_.clear(); }

 private:
  friend class FormulaParser;
  template <typename F>
  Dim computed(const Dim& a, const Dim& b, F f);
  std::optional<Expression> expression(const Dim& dim);
  Dim dim(const Expression& expression);
  const Expression& read(const std::string& text);

  Expression rounded_down(const Expression& a);
  Expression rounded_down_quotient(const Expression& a, const Expression& b);
  Expression extreme(Atom::Kind kind, const std::vector<Expression>& arguments);
  Expression broadcast(const Expression& a, const Expression& b);
  bool decides_broadcast(const Expression& a, const Expression& b);
  Expression call(Atom::Kind kind, std::string_view function, std::vector<Expression> arguments);
  std::optional<Expression> integral_extreme(Atom::Kind kind, const Expression& a,
                                             const Expression& b);
  std::optional<Expression> without_nested_floor(const Expression& a);

  // A proof takes a limited number of steps.
  bool is_not_negative(const Expression& a);
  bool is_not_negative(const Expression& a, int depth);
  bool is_not_negative(const Atom& atom, int depth);
  bool follows_from_bounds(const Expression& a, size_t term, int depth);

  AtomTable atoms_;
  std::unordered_map<std::string, Expression> read_;
  std::unordered_map<std::string, std::string> given_;  // text() to the form in the model
  std::unordered_set<std::string> sizes_;
  int steps_ = 0;  // that are left for the proof
};

}  // namespace graphsurgeon
