#include "graphsurgeon/sizes/atom_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace graphsurgeon {

AtomId AtomTable::add(Atom atom) {
  const auto [known, is_new] = atom_of_.try_emplace(atom.text, static_cast<AtomId>(atoms_.size()));
  if (is_new) atoms_.push_back(std::move(atom));
  return known->second;
}

Expression AtomTable::name(std::string_view text) {
  return Expression::of_atom(add({Atom::Kind::kName, std::string(text), {}}));
}

std::string AtomTable::text(const Product& product) const {
  std::vector<std::string_view> names;
  for (const AtomId id : product) names.push_back(atoms_[id].text);
  std::sort(names.begin(), names.end());
  std::string result;
  for (size_t i = 0; i < names.size();) {
    size_t power = 1;
    while (i + power < names.size() && names[i + power] == names[i]) ++power;
    if (!result.empty()) result += '*';
    result += names[i];
    if (power > 1) result += "**" + std::to_string(power);
    i += power;
  }
  return result;
}

// Without its sign.
std::string AtomTable::text(const Term& term) const {
  // Unsigned: the least number has no opposite.
  const auto numerator = static_cast<uint64_t>(term.factor.numerator());
  const uint64_t factor = term.factor.numerator() < 0 ? 0 - numerator : numerator;
  std::string result = text(term.atoms);
  if (result.empty()) {
    result = std::to_string(factor);
  } else if (factor != 1) {
    result = std::to_string(factor) + "*" + result;
  }
  if (!term.factor.is_integer()) result += "/" + std::to_string(term.factor.denominator());
  return result;
}

std::string AtomTable::text(const Expression& expression) const {
  struct Shown {
    std::string product;
    const Term* term;
    bool is_negative;
  };
  std::vector<Shown> terms;
  for (const Term& term : expression.terms()) {
    terms.push_back({text(term.atoms), &term, term.factor.numerator() < 0});
  }
  // Subtracted terms come last, but for numbers: "n - m + 1".
  std::sort(terms.begin(), terms.end(), [](const Shown& a, const Shown& b) {
    const auto key = [](const Shown& shown) {
      const size_t degree = shown.term->atoms.size();
      return std::tuple(degree == 0, shown.is_negative, kHighestDegree - degree, shown.product);
    };
    return key(a) < key(b);
  });
  const bool is_number_first = terms.size() > 1 && terms.front().is_negative;
  if (is_number_first) std::rotate(terms.begin(), terms.end() - 1, terms.end());
  std::string result;
  for (const Shown& shown : terms) {
    if (result.empty()) {
      result = shown.is_negative ? "-" : "";
    } else {
      result += shown.is_negative ? " - " : " + ";
    }
    result += text(*shown.term);
  }
  return result.empty() ? "0" : result;
}

}  // namespace graphsurgeon
