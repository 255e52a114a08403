// Reads the formulas that a SizeAlgebra writes.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "graphsurgeon/sizes/size_algebra.h"

namespace graphsurgeon {

// "-" is an operator between spaces or before a term: "seq-len" is a name. Names have neither
// spaces nor any of ( ) * / , +.
class FormulaParser {
 public:
  FormulaParser(std::string_view text, SizeAlgebra& algebra) : left_(text), algebra_(algebra) {}

  // nullopt: the text is not a formula. Throws TooLarge.
  std::optional<Expression> parse();

 private:
  using Result = std::optional<Expression>;
  bool take(std::string_view token);
  // `first`: the part that is read already, if any.
  Result sum(Result first = {});
  Result product(Result first);
  Result power();
  Result primary();
  Result call(std::string_view function);
  Result floor();
  std::string_view word() const;

  std::string_view left_;
  SizeAlgebra& algebra_;
  int depth_ = 0;
};

}  // namespace graphsurgeon
