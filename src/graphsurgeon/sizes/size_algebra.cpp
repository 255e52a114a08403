#include "graphsurgeon/sizes/size_algebra.h"

#include <algorithm>
#include <utility>

#include "graphsurgeon/sizes/formula_parser.h"

namespace graphsurgeon {

namespace {

constexpr size_t kLongestText = 400;
const Dim kZero{int64_t{0}};
const Dim kOne{int64_t{1}};

}  // namespace

const Expression& SizeAlgebra::read(const std::string& text) {
  const auto known = read_.find(text);
  if (known != read_.end()) return known->second;
  Expression result;
  std::optional<Expression> formula;
  if (text.size() <= kLongestText) {
    try {
      formula = FormulaParser(text, *this).parse();
    } catch (const TooLarge&) {
      formula.reset();
    }
  }
  // A model's name may be a number, which says nothing about the size.
  const auto constant = formula ? formula->constant() : std::nullopt;
  const bool is_name = !formula || (constant && constant->is_integer());
  result = is_name ? atoms_.name(text) : *formula;
  if (!is_name) given_.try_emplace(atoms_.text(result), text);
  return read_.emplace(text, std::move(result)).first->second;
}

std::optional<Expression> SizeAlgebra::expression(const Dim& dim) {
  if (dim.has_value()) return Expression(Rational(dim.value()));
  if (dim.param().empty()) return std::nullopt;
  return read(dim.param());
}

Dim SizeAlgebra::dim(const Expression& expression) {
  const auto constant = expression.constant();
  if (constant && constant->is_integer()) return constant->numerator();
  std::string formula = atoms_.text(expression);
  const auto given = given_.find(formula);
  if (given != given_.end()) return std::string_view(given->second);
  if (formula.size() > kLongestText) return {};
  read_.try_emplace(formula, expression);
  return std::string_view(formula);
}

template <typename F>
Dim SizeAlgebra::computed(const Dim& a, const Dim& b, F f) {
  try {
    const auto left = expression(a), right = expression(b);
    if (!left || !right) return {};
    const std::optional<Expression> result = f(*left, *right);
    return result ? dim(*result) : Dim();
  } catch (const TooLarge&) {
    return {};
  }
}

Dim SizeAlgebra::sum(const Dim& a, const Dim& b) {
  if (a == kZero) return b;
  if (b == kZero) return a;
  return computed(a, b, [](const auto& x, const auto& y) { return std::optional(x + y); });
}

Dim SizeAlgebra::difference(const Dim& a, const Dim& b) {
  if (b == kZero) return a;
  return computed(a, b, [](const auto& x, const auto& y) { return std::optional(x - y); });
}

Dim SizeAlgebra::product(const Dim& a, const Dim& b) {
  if (a == kZero || b == kZero) return kZero;
  if (a == kOne) return b;
  if (b == kOne) return a;
  return computed(a, b, [](const auto& x, const auto& y) { return std::optional(x * y); });
}

Dim SizeAlgebra::quotient(const Dim& a, const Dim& b) {
  if (b == kOne) return a;
  if (b == kZero) return {};
  return computed(a, b, [](const auto& x, const auto& y) { return exact_quotient(x, y); });
}

Dim SizeAlgebra::floor_quotient(const Dim& a, const Dim& b) {
  if (b == kZero) return {};
  return computed(a, b, [&](const auto& x, const auto& y) {
    return std::optional(rounded_down_quotient(x, y));
  });
}

Dim SizeAlgebra::remainder(const Dim& a, const Dim& b) {
  if (b == kZero) return {};
  return computed(a, b, [&](const auto& x, const auto& y) {
    return std::optional(x - y * rounded_down_quotient(x, y));
  });
}

Dim SizeAlgebra::floor(const Dim& a) {
  return a.has_value() ? a : computed(a, kZero, [&](const auto& x, const auto&) {
    return std::optional(rounded_down(x));
  });
}

Dim SizeAlgebra::ceiling(const Dim& a) {
  return a.has_value() ? a : computed(a, kZero, [&](const auto& x, const auto&) {
    return std::optional(rounded_down(x * Rational(-1)) * Rational(-1));
  });
}

// The values of functions are integers.
std::optional<Expression> SizeAlgebra::integral_extreme(Atom::Kind kind, const Expression& a,
                                                        const Expression& b) {
  if (!a.has_integer_factors() || !b.has_integer_factors()) return std::nullopt;
  return extreme(kind, {a, b});
}

Dim SizeAlgebra::minimum(const Dim& a, const Dim& b) {
  return computed(a, b, [&](const auto& x, const auto& y) {
    return integral_extreme(Atom::Kind::kMinimum, x, y);
  });
}

Dim SizeAlgebra::maximum(const Dim& a, const Dim& b) {
  return computed(a, b, [&](const auto& x, const auto& y) {
    return integral_extreme(Atom::Kind::kMaximum, x, y);
  });
}

Dim SizeAlgebra::broadcast(const Dim& a, const Dim& b) {
  if (a == kOne) return b;
  if (b == kOne || a == b) return a;
  if (a.has_value()) return a;
  if (b.has_value()) return b;
  return computed(a, b,
                  [&](const auto& x, const auto& y) { return std::optional(broadcast(x, y)); });
}

bool SizeAlgebra::is_integer(const Dim& a) {
  if (a.has_value()) return true;
  return !a.param().empty() && read(a.param()).has_integer_factors();
}

bool SizeAlgebra::is_at_least(const Dim& a, const Dim& b) {
  if (a.has_value() && b.has_value()) return a.value() >= b.value();
  try {
    const auto left = expression(a), right = expression(b);
    return left && right && is_not_negative(*left - *right);
  } catch (const TooLarge&) {
    return false;
  }
}

bool SizeAlgebra::is_equal(const Dim& a, const Dim& b) {
  if (a.has_value() || b.has_value()) return a.has_value() && a == b;
  const auto left = expression(a), right = expression(b);
  return left && right && *left == *right;
}

void SizeAlgebra::note_size(const Dim& dim) {
  if (dim.has_value() || dim.param().empty()) return;
  const Expression& size = read(dim.param());
  if (size.terms().size() > 1) sizes_.insert(atoms_.text(size));
}

// --- functions, each in one form only

// floor((floor(x) + i) / c) = floor((x + i) / c) for whole numbers i and c > 0.
std::optional<Expression> SizeAlgebra::without_nested_floor(const Expression& a) {
  const int64_t parts = a.denominator();
  for (size_t i = 0; i < a.terms().size(); ++i) {
    const Term& term = a.terms()[i];
    if (term.atoms.size() != 1 || term.factor != Rational(1, parts)) continue;
    const Atom& inner = atoms_[term.atoms[0]];
    if (inner.kind != Atom::Kind::kFloor) continue;
    return with_replaced_term(a, i, inner.arguments[0] * term.factor);
  }
  return std::nullopt;
}

// Whole numbers are taken out of the function: floor(5*h/2 + 3/2) is floor(h/2 + 1/2) + 2*h + 1.
Expression SizeAlgebra::rounded_down(const Expression& a) {
  Expression whole, rest;
  int64_t parts = 1;  // of 1, of which everything but the constant is a multiple
  for (const Term& term : a.terms()) {
    if (term.atoms.empty()) continue;
    const int64_t out = term.factor.truncated();
    whole.add({term.atoms, out});
    rest.add({term.atoms, term.factor + Rational(-out)});
  }
  parts = rest.denominator();
  const int64_t constant = (a.constant_part() * Rational(parts)).floor();
  const Rational fraction(constant, parts);
  whole.add({{}, fraction.floor()});
  rest.add({{}, fraction + Rational(-fraction.floor())});
  if (parts == 1) return whole;
  if (rest.terms().front().factor.numerator() < 0) {
    // floor(x) = -floor(-x + (c - 1) / c) for multiples x of 1/c.
    return whole - rounded_down(Expression(Rational(parts - 1, parts)) - rest);
  }
  if (const auto flat = without_nested_floor(rest)) return whole + rounded_down(*flat);
  Atom floor{Atom::Kind::kFloor, "floor(" + atoms_.text(rest) + ")", {rest}};
  return whole + Expression::of_atom(atoms_.add(std::move(floor)));
}

Expression SizeAlgebra::rounded_down_quotient(const Expression& a, const Expression& b) {
  if (a.terms().empty()) return {};
  if (const auto exact = exact_quotient(a, b)) return rounded_down(*exact);
  Atom quotient{
      Atom::Kind::kQuotient, "floor((" + atoms_.text(a) + ")/(" + atoms_.text(b) + "))", {a, b}};
  return Expression::of_atom(atoms_.add(std::move(quotient)));
}

// Without arguments that another one makes superfluous; in alphabetical order.
Expression SizeAlgebra::extreme(Atom::Kind kind, const std::vector<Expression>& arguments) {
  std::vector<Expression> kept;
  const auto is_superfluous = [&](const Expression& a, const Expression& beside) {
    return is_not_negative(kind == Atom::Kind::kMinimum ? a - beside : beside - a);
  };
  const auto add = [&](const Expression& a) {
    for (const Expression& other : kept) {
      if (is_superfluous(a, other)) return;
    }
    std::erase_if(kept, [&](const Expression& other) { return is_superfluous(other, a); });
    kept.push_back(a);
  };
  for (const Expression& a : arguments) {
    const bool is_atom = a.terms().size() == 1 && a.terms()[0].atoms.size() == 1 &&
                         a.terms()[0].factor == Rational(1);
    const Atom inner = is_atom ? atoms_[a.terms()[0].atoms[0]] : Atom();
    if (is_atom && inner.kind == kind) {
      for (const Expression& argument : inner.arguments) add(argument);
    } else {
      add(a);
    }
  }
  if (kept.size() == 1) return kept[0];
  return call(kind, kind == Atom::Kind::kMinimum ? "Min" : "Max", std::move(kept));
}

// In alphabetical order.
Expression SizeAlgebra::call(Atom::Kind kind, std::string_view function,
                             std::vector<Expression> arguments) {
  std::sort(arguments.begin(), arguments.end(), [&](const Expression& a, const Expression& b) {
    return atoms_.text(a) < atoms_.text(b);
  });
  std::string call(function);
  for (const Expression& a : arguments) {
    call += &a == &arguments.front() ? "(" : ", ";
    call += atoms_.text(a);
  }
  return Expression::of_atom(atoms_.add({kind, call + ")", std::move(arguments)}));
}

// The larger one is the result, but for 1 beside 0.
bool SizeAlgebra::decides_broadcast(const Expression& a, const Expression& b) {
  const Expression one = Expression(Rational(1));
  return is_not_negative(a - b) && is_not_negative(b - extreme(Atom::Kind::kMinimum, {a, one}));
}

Expression SizeAlgebra::broadcast(const Expression& a, const Expression& b) {
  if (a == b || b == Expression(Rational(1))) return a;
  if (a == Expression(Rational(1))) return b;
  if (decides_broadcast(a, b)) return a;
  if (decides_broadcast(b, a)) return b;
  return call(Atom::Kind::kBroadcast, "Broadcast", {a, b});
}

// --- proofs

bool SizeAlgebra::is_not_negative(const Atom& atom, int depth) {
  const auto proof = [&](const Expression& a) { return is_not_negative(a, depth); };
  switch (atom.kind) {
    case Atom::Kind::kName:
      return true;
    case Atom::Kind::kMaximum:
      return std::any_of(atom.arguments.begin(), atom.arguments.end(), proof);
    default:
      return std::all_of(atom.arguments.begin(), atom.arguments.end(), proof);
  }
}

bool SizeAlgebra::is_not_negative(const Expression& a) {
  constexpr int kMostSteps = 256;
  steps_ = kMostSteps;
  return is_not_negative(a, 0);
}

bool SizeAlgebra::is_not_negative(const Expression& a, int depth) {
  constexpr int kDeepest = 6;
  if (depth == kDeepest || steps_-- <= 0) return false;
  if (a.terms().size() > 1 && !sizes_.empty() && sizes_.contains(atoms_.text(a))) return true;
  const auto is_positive = [&](const Term& term) {
    return term.factor.numerator() > 0 &&
           std::all_of(term.atoms.begin(), term.atoms.end(),
                       [&](AtomId id) { return is_not_negative(Atom(atoms_[id]), depth + 1); });
  };
  if (std::all_of(a.terms().begin(), a.terms().end(), is_positive)) return true;
  for (size_t i = 0; i < a.terms().size(); ++i) {
    if (a.terms()[i].atoms.size() == 1 && follows_from_bounds(a, i, depth + 1)) return true;
  }
  return false;
}

// Tries bounds of the atom in the place of the term.
bool SizeAlgebra::follows_from_bounds(const Expression& a, size_t term, int depth) {
  const Rational factor = a.terms()[term].factor;
  const Atom atom = atoms_[a.terms()[term].atoms[0]];
  const auto holds_for = [&](const Expression& bound) {
    return is_not_negative(with_replaced_term(a, term, bound * factor), depth);
  };
  const bool is_added = factor.numerator() > 0;
  switch (atom.kind) {
    case Atom::Kind::kFloor: {
      const Expression& inner = atom.arguments[0];
      if (!is_added) return holds_for(inner);
      const int64_t parts = inner.denominator();
      return holds_for(inner - Expression(Rational(parts - 1, parts)));
    }
    case Atom::Kind::kMinimum:
      return is_added ? std::all_of(atom.arguments.begin(), atom.arguments.end(), holds_for)
                      : std::any_of(atom.arguments.begin(), atom.arguments.end(), holds_for);
    case Atom::Kind::kMaximum:
      return is_added ? std::any_of(atom.arguments.begin(), atom.arguments.end(), holds_for)
                      : std::all_of(atom.arguments.begin(), atom.arguments.end(), holds_for);
    default:
      return false;
  }
}

}  // namespace graphsurgeon
