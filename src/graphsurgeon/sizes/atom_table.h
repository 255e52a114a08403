// The names and functions in expressions, and the text of expressions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/sizes/expression.h"

namespace graphsurgeon {

struct Atom {
  enum class Kind : uint8_t { kName, kFloor, kQuotient, kMinimum, kMaximum, kBroadcast };
  Kind kind = Kind::kName;
  std::string text;  // by which it is the same atom
  // Of kFloor: one; of kQuotient, which is rounded down: two.
  std::vector<Expression> arguments;
};

class AtomTable {
 public:
  AtomId add(Atom atom);
  Expression name(std::string_view text);
  const Atom& operator[](AtomId id) const { return atoms_[id]; }  // valid until add()

  std::string text(const Expression& expression) const;

 private:
  std::string text(const Term& term) const;
  std::string text(const Product& product) const;

  std::vector<Atom> atoms_;
  std::unordered_map<std::string, AtomId> atom_of_;
};

}  // namespace graphsurgeon
