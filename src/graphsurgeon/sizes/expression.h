// Polynomials with rational factors in atoms: 2*batch + 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace graphsurgeon {

// Thrown where a number, an expression or its text outgrows its limit. The size is unknown then.
struct TooLarge {};

// In lowest terms, with a positive denominator.
class Rational {
 public:
  Rational(int64_t value = 0) : numerator_(value) {}  // NOLINT(google-explicit-constructor)
  // `denominator` is not 0.
  Rational(int64_t numerator, int64_t denominator) {
    if (denominator < 0) {
      numerator = times(numerator, -1);
      denominator = times(denominator, -1);
    }
    const int64_t common = greatest_common_divisor(numerator, denominator);
    numerator_ = numerator / common;
    denominator_ = denominator / common;
  }

  int64_t numerator() const { return numerator_; }
  int64_t denominator() const { return denominator_; }
  bool is_integer() const { return denominator_ == 1; }
  int64_t floor() const {
    const int64_t down = numerator_ / denominator_;
    return down - (numerator_ % denominator_ < 0 ? 1 : 0);
  }
  int64_t truncated() const { return numerator_ / denominator_; }

  friend Rational operator+(const Rational& a, const Rational& b) {
    if (a.is_integer() && b.is_integer()) return plus(a.numerator_, b.numerator_);
    return {plus(times(a.numerator_, b.denominator_), times(b.numerator_, a.denominator_)),
            times(a.denominator_, b.denominator_)};
  }
  friend Rational operator*(const Rational& a, const Rational& b) {
    return {times(a.numerator_, b.numerator_), times(a.denominator_, b.denominator_)};
  }
  // `b` is not 0.
  friend Rational operator/(const Rational& a, const Rational& b) {
    return {times(a.numerator_, b.denominator_), times(a.denominator_, b.numerator_)};
  }
  Rational operator-() const { return *this * Rational(-1); }
  friend bool operator==(const Rational&, const Rational&) = default;

 private:
  static int64_t plus(int64_t a, int64_t b) {
    int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result)) throw TooLarge();
    return result;
  }
  static int64_t times(int64_t a, int64_t b) {
    int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result) || result == INT64_MIN) throw TooLarge();
    return result;
  }
  static int64_t greatest_common_divisor(int64_t a, int64_t b) {
    if (a == INT64_MIN || b == INT64_MIN) throw TooLarge();
    return std::gcd(a, b);
  }

  int64_t numerator_ = 0;
  int64_t denominator_ = 1;
};

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
