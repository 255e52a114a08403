#include "graphsurgeon/sizes/expression.h"

#include <algorithm>
#include <utility>

namespace graphsurgeon {

namespace {

constexpr size_t kMostTerms = 64;

// The order by degree, then by atoms, agrees with multiplication.
bool comes_before(const Product& a, const Product& b) {
  return a.size() != b.size() ? a.size() > b.size() : a < b;
}

Product merged(const Product& a, const Product& b) {
  if (a.size() + b.size() > kHighestDegree) throw TooLarge();
  Product result;
  result.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

std::optional<Product> divided(const Product& a, const Product& b) {
  if (!std::includes(a.begin(), a.end(), b.begin(), b.end())) return std::nullopt;
  Product result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

}  // namespace

Expression::Expression(const Rational& constant) {
  if (constant != Rational(0)) terms_.push_back({{}, constant});
}

Expression Expression::of_atom(AtomId atom) {
  Expression result;
  result.terms_.push_back({{atom}, 1});
  return result;
}

std::optional<Rational> Expression::constant() const {
  if (terms_.empty()) return Rational(0);
  if (terms_.size() > 1 || !terms_[0].atoms.empty()) return std::nullopt;
  return terms_[0].factor;
}

Rational Expression::constant_part() const {
  return !terms_.empty() && terms_.back().atoms.empty() ? terms_.back().factor : Rational(0);
}

bool Expression::has_integer_factors() const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [](const Term& term) { return term.factor.is_integer(); });
}

int64_t Expression::denominator() const {
  Rational common = 1;
  for (const Term& term : terms_) {
    const int64_t other = term.factor.denominator();
    common = common * Rational(other / std::gcd(common.numerator(), other));
  }
  return common.numerator();
}

void Expression::add(const Term& term) {
  const auto at =
      std::lower_bound(terms_.begin(), terms_.end(), term,
                       [](const Term& a, const Term& b) { return comes_before(a.atoms, b.atoms); });
  if (at == terms_.end() || at->atoms != term.atoms) {
    if (term.factor == Rational(0)) return;
    if (terms_.size() == kMostTerms) throw TooLarge();
    terms_.insert(at, term);
    return;
  }
  at->factor = at->factor + term.factor;
  if (at->factor == Rational(0)) terms_.erase(at);
}

Expression operator+(const Expression& a, const Expression& b) {
  Expression result = a;
  for (const Term& term : b.terms_) result.add(term);
  return result;
}

Expression operator-(const Expression& a, const Expression& b) {
  Expression result = a;
  for (const Term& term : b.terms_) result.add({term.atoms, -term.factor});
  return result;
}

Expression operator*(const Expression& a, const Expression& b) {
  Expression result;
  for (const Term& left : a.terms_) {
    for (const Term& right : b.terms_) {
      result.add({merged(left.atoms, right.atoms), left.factor * right.factor});
    }
  }
  return result;
}

Expression operator*(const Expression& a, const Rational& factor) {
  if (factor == Rational(0)) return {};
  Expression result = a;
  for (Term& term : result.terms_) term.factor = term.factor * factor;
  return result;
}

std::optional<Expression> exact_quotient(const Expression& a, const Expression& b) {
  const Term& lead = b.terms().front();
  Expression quotient;
  Expression rest = a;
  while (!rest.terms().empty()) {
    const Term& first = rest.terms().front();
    auto atoms = divided(first.atoms, lead.atoms);
    if (!atoms) return std::nullopt;
    Expression part;
    part.add({std::move(*atoms), first.factor / lead.factor});
    quotient = quotient + part;
    rest = rest - part * b;
  }
  return quotient;
}

Expression with_replaced_term(const Expression& expression, size_t term,
                              const Expression& replacement) {
  Expression removed;
  removed.add(expression.terms()[term]);
  return expression - removed + replacement;
}

}  // namespace graphsurgeon
