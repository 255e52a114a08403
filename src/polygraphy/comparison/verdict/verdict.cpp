#include "polygraphy/comparison/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "polygraphy/comparison/verdict/runner_names.h"

namespace polygraphy {
namespace {

std::string counted(int64_t number, std::string_view unit) {
  return fmt::format("{} {}{}", number, unit, number == 1 ? "" : "s");
}

// Without its folder, unless the file on the other side has the same name.
std::string_view file_name(std::string_view file, std::string_view other) {
  const auto last = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
  return last(file) == last(other) ? file : last(file);
}

std::string side(std::string_view runner, std::string_view file, std::string_view other) {
  // Results of one second may have a number behind it.
  std::string name = without_times(runner);
  // Files of other programs give their runners their names.
  if (file.empty() || file.ends_with(runner)) return name;
  // The file names the side.
  const size_t number = name.rfind(" (");
  if (number != std::string::npos && name != runner && name.back() == ')') name.resize(number);
  return fmt::format("{} ({})", name, file_name(file, other));
}

std::string names_of_sides(const Verdict& verdict) {
  if (verdict.target.empty() || verdict.reference.empty()) return {};
  const std::string target = side(verdict.target, verdict.target_file, verdict.reference_file);
  const std::string reference =
      side(verdict.reference, verdict.reference_file, verdict.target_file);
  if (target == reference) return fmt::format(" of {}", target);
  return fmt::format(" of {} and {}", target, reference);
}

std::string sides(const Verdict& verdict) {
  if (verdict.pairs > 1) return fmt::format(" of {} pairs of runners", verdict.pairs);
  return names_of_sides(verdict);
}

// "3 of 5 outputs", "5 outputs"; then " in 2 samples".
std::string amount(const Verdict& verdict, int64_t some) {
  std::string text = some == verdict.compared
                         ? counted(some, verdict.unit)
                         : fmt::format("{} of {}", some, counted(verdict.compared, verdict.unit));
  text += sides(verdict);
  if (verdict.samples > 1 && verdict.unit != "sample")
    text += fmt::format(" in {} samples", verdict.samples);
  if (!verdict.place.empty()) text += " at " + verdict.place;
  return text;
}

const char* done_by(const Verdict& verdict) {
  return verdict.comparison ? "compared" : "checked";
}

std::string left_out(const Verdict& verdict) {
  const int64_t left = verdict.total - verdict.compared - verdict.empty;
  std::string text;
  if (left > 0)
    text =
        fmt::format("; {} not {}", left == 1 ? "1 other was" : fmt::format("{} others were", left),
                    done_by(verdict));
  if (verdict.empty == 0 || verdict.compared == 0) return text;
  text += fmt::format("; '{}'", verdict.first_empty);
  if (verdict.empty == 1) return text + " has no elements";
  return text + fmt::format(" and {} have no elements", counted(verdict.empty - 1, "other"));
}

// Of a verdict on nothing.
std::string emptiness(const Verdict& verdict) {
  if (verdict.empty == 0) return {};
  return fmt::format(": {}{} {} no elements", counted(verdict.empty, verdict.unit), sides(verdict),
                     verdict.empty == 1 ? "has" : "have");
}

std::string excess_of(const Verdict& verdict) {
  if (verdict.worst.empty()) return {};
  const std::string worst = fmt::format(
      "'{}'{}", verdict.worst, verdict.pairs > 1 ? names_of_sides(verdict) : std::string());
  if (!verdict.excess) return ", first " + worst;
  if (!std::isfinite(*verdict.excess)) return ", most " + worst;
  return fmt::format(", most {}: {:.3g}× the limit", worst, *verdict.excess);
}

std::string by_measure(const Verdict& verdict) {
  if (verdict.measure.empty()) return {};
  return " " + polygraphy::by_measure(verdict.measure, verdict.agreement == Agreement::kAgrees);
}

const char* agree(const Verdict& verdict, int64_t number) {
  if (verdict.comparison) return number == 1 ? "agrees" : "agree";
  return number == 1 ? "passes" : "pass";
}

const char* differ(const Verdict& verdict, int64_t number) {
  if (verdict.comparison) return number == 1 ? "differs" : "differ";
  return number == 1 ? "fails" : "fail";
}

std::string with_reason(std::string text, const Verdict& verdict) {
  const bool has_tokens = verdict.tokens && verdict.compared > 0;
  if (has_tokens) text += ": " + to_text(*verdict.tokens);
  if (!verdict.reason.empty()) text += (has_tokens ? "; " : ": ") + verdict.reason;
  return text;
}

}  // namespace

std::string_view name_of(Agreement agreement) {
  constexpr std::string_view kNames[] = {"failed",     "differs", "precision too low",
                                         "not finite", "agrees",  "not compared"};
  return kNames[static_cast<size_t>(agreement)];
}

std::string by_measure(std::string_view measure, bool agrees) {
  std::string text(measure);
  if (text.starts_with("simple")) text.replace(0, 6, "the tolerances");
  const bool is_limit = std::isdigit(static_cast<unsigned char>(text[0])) != 0 ||
                        text.starts_with("a ") || text.starts_with("the tolerances") ||
                        text.starts_with("its tolerances");
  if (is_limit) return (agrees ? "within " : "by more than ") + text;
  const size_t limit = text.find(" within ");
  if (!agrees && limit != std::string::npos) text.replace(limit, 8, " beyond ");
  return "by " + text;
}

std::string headline(const Verdict& verdict) {
  switch (verdict.agreement) {
    case Agreement::kFailed:
      return with_reason(fmt::format("Could not be {}", done_by(verdict)), verdict);
    case Agreement::kNotCompared:
      return with_reason(fmt::format("Nothing was {}", done_by(verdict)) + emptiness(verdict),
                         verdict);
    case Agreement::kTooCoarse:
      return with_reason("The precision is too low", verdict) + left_out(verdict);
    case Agreement::kNotFinite:
      return with_reason("There are no finite numbers to compare", verdict) + left_out(verdict);
    case Agreement::kAgrees:
      return with_reason(amount(verdict, verdict.compared) + " " +
                             agree(verdict, verdict.compared) + by_measure(verdict) +
                             left_out(verdict),
                         verdict);
    case Agreement::kDiffers:
      return with_reason(amount(verdict, verdict.off) + " " + differ(verdict, verdict.off) +
                             by_measure(verdict) + excess_of(verdict) + left_out(verdict),
                         verdict);
  }
  return {};
}

Verdict joined(const Verdict& one, const Verdict& other) {
  const bool first = one.agreement != other.agreement
                         ? one.agreement < other.agreement
                         : one.excess.value_or(0) >= other.excess.value_or(0);
  Verdict both = first ? one : other;
  const Verdict& less = first ? other : one;
  both.total += less.total;
  both.compared += less.compared;
  both.empty += less.empty;
  if (both.first_empty.empty()) both.first_empty = less.first_empty;
  both.off += less.off;
  both.pairs = std::max(both.pairs, less.pairs);
  both.samples = std::max(both.samples, less.samples);
  if (both.measure.empty()) both.measure = less.measure;
  if (both.tokens && less.tokens) add(*both.tokens, *less.tokens);
  if (!both.tokens) both.tokens = less.tokens;
  return both;
}

Verdict joined_pairs(const Verdict& one, const Verdict& other) {
  Verdict both = joined(one, other);
  both.pairs = one.pairs + other.pairs;
  return both;
}

}  // namespace polygraphy
