// Polynomials with rational factors in atoms: 2*batch + 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graphsurgeon/sizes/rational.h"

namespace graphsurgeon {

// Of a product; longer ones are not followed.
inline constexpr size_t kHighestDegree = 16;

// A name or a function of expressions, by its number in a SizeAlgebra. Its value is an integer.
using AtomId = uint32_t;
// The atoms of a product, ascending; an atom that occurs twice is squared. Empty: 1.
using Product = std::vector<AtomId>;

struct Term {
  Product atoms;
  Rational factor;
  friend bool operator==(const Term&, const Term&) = default;
};

// A sum of terms with different products, the highest degree first. Operations throw TooLarge.
class Expression {
 public:
  Expression() = default;  // 0
  Expression(const Rational& constant);
  static Expression of_atom(AtomId atom);

  const std::vector<Term>& terms() const { return terms_; }
  // The value of an expression without atoms.
  std::optional<Rational> constant() const;
  // The factor of the term without atoms.
  Rational constant_part() const;
  bool has_integer_factors() const;
  // The least common multiple of the denominators.
  int64_t denominator() const;

  friend Expression operator+(const Expression& a, const Expression& b);
  friend Expression operator-(const Expression& a, const Expression& b);
  friend Expression operator*(const Expression& a, const Expression& b);
  friend Expression operator*(const Expression& a, const Rational& factor);
  friend bool operator==(const Expression&, const Expression&) = default;

  void add(const Term& term);

 private:
  std::vector<Term> terms_;
};

// `a` divided by `b` if that is an expression again: 6*n*m by 2*n. `b` is not 0.
std::optional<Expression> exact_quotient(const Expression& a, const Expression& b);

// `expression` with `replacement` in the place of a term.
Expression with_replaced_term(const Expression& expression, size_t term,
                              const Expression& replacement);

}  // namespace graphsurgeon
