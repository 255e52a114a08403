#include "graphsurgeon/sizes/formula_parser.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace graphsurgeon {

namespace {

constexpr int kDeepest = 32;
constexpr int64_t kHighestPower = 8;

std::optional<int64_t> number(std::string_view word) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool is_read = error == std::errc() && end == word.data() + word.size();
  return is_read && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

bool FormulaParser::take(std::string_view token) {
  if (!left_.starts_with(token)) return false;
  left_.remove_prefix(token.size());
  return true;
}

std::string_view FormulaParser::word() const {
  return left_.substr(0, left_.find_first_of(" \t\n()*/,+"));
}

std::optional<Expression> FormulaParser::parse() {
  Result result = sum();
  return left_.empty() ? result : std::nullopt;
}

FormulaParser::Result FormulaParser::sum(Result first) {
  if (++depth_ > kDeepest) return std::nullopt;
  Expression total;
  bool is_negative = !first && take("-");
  for (;;) {
    const Result term = product(std::exchange(first, std::nullopt));
    if (!term) return std::nullopt;
    total = is_negative ? total - *term : total + *term;
    is_negative = take(" - ");
    if (!is_negative && !take(" + ") && !take("+")) break;
  }
  --depth_;
  return total;
}

FormulaParser::Result FormulaParser::product(Result first) {
  Result total = first ? std::move(first) : power();
  while (total) {
    const bool divides = take("/");
    if (!divides && !take("*")) return total;
    const Result next = power();
    if (!next || (divides && next->terms().empty())) return std::nullopt;
    total = divides ? exact_quotient(*total, *next) : *total * *next;
  }
  return std::nullopt;
}

FormulaParser::Result FormulaParser::power() {
  const Result base = primary();
  if (!base || !take("**")) return base;
  const auto exponent = number(word());
  if (!exponent || *exponent < 1 || *exponent > kHighestPower) return std::nullopt;
  take(word());
  Expression result = *base;
  for (int64_t i = 1; i < *exponent; ++i) result = result * *base;
  return result;
}

FormulaParser::Result FormulaParser::primary() {
  if (take("(")) {
    Result inner = sum();
    return take(")") ? inner : std::nullopt;
  }
  const std::string_view text = word();
  if (text.empty()) return std::nullopt;
  take(text);
  if (const auto value = number(text)) return Expression(Rational(*value));
  return take("(") ? call(text) : algebra_.atoms_.name(text);
}

// Behind "floor(". "(a)/(b)" is there for a quotient that is not a formula otherwise.
FormulaParser::Result FormulaParser::floor() {
  Result first;
  if (take("(")) {
    first = sum();
    if (!first || !take(")")) return std::nullopt;
    if (take("/(")) {
      const Result divisor = sum();
      if (!divisor || divisor->terms().empty() || !take("))")) return std::nullopt;
      return algebra_.rounded_down_quotient(*first, *divisor);
    }
  }
  const Result argument = sum(std::move(first));
  return argument && take(")") ? Result(algebra_.rounded_down(*argument)) : std::nullopt;
}

FormulaParser::Result FormulaParser::call(std::string_view function) {
  using Kind = Atom::Kind;
  if (function == "floor") return floor();
  std::vector<Expression> arguments;
  do {
    Result argument = sum();
    if (!argument) return std::nullopt;
    arguments.push_back(std::move(*argument));
  } while (take(", "));
  if (!take(")")) return std::nullopt;
  if (function == "Min") return algebra_.extreme(Kind::kMinimum, arguments);
  if (function == "Max") return algebra_.extreme(Kind::kMaximum, arguments);
  if (function == "Broadcast" && arguments.size() == 2) {
    return algebra_.broadcast(arguments[0], arguments[1]);
  }
  if (function != "ceiling" || arguments.size() != 1) return std::nullopt;
  return algebra_.rounded_down(arguments[0] * Rational(-1)) * Rational(-1);
}

}  // namespace graphsurgeon
