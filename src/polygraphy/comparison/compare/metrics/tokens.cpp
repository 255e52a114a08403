// `--compare tokens`: outputs that are logits of a language model. The token that each row prefers
// must stay the same, but where the reference hardly prefers it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/metrics/shared/decoded_texts.h"
#include "polygraphy/comparison/compare/metrics/shared/logits.h"
#include "polygraphy/comparison/compare/metrics/shared/match_shapes.h"
#include "polygraphy/comparison/compare/metrics/shared/per_output.h"
#include "polygraphy/comparison/compare/metrics/shared/token_rows.h"
#include "polygraphy/comparison/compare/metrics/shared/token_summary.h"

namespace polygraphy {
namespace {

using log_modules::kCompare;

constexpr std::string_view kAxis = kVocabularyAxis;
constexpr std::string_view kMargin = "tokens_margin";
constexpr std::string_view kDivergence = "tokens_kl";
constexpr MetricOption kOptions[] = {
    {.name = kAxis,
     .flags = "--tokens-axis",
     .type = MetricOption::Type::kInteger,
     .metavar = "[OUTPUT:]AXIS",
     .help = "tokens: axis of the vocabulary. Names of outputs select the logits: scores:1. "
             "Default: -1, of outputs with logits in their name, else of all but caches."},
    {.name = kMargin,
     .flags = "--tokens-margin",
     .metavar = "[OUTPUT:]LOGITS",
     .help = "tokens: a token may flip where the reference prefers it by at most this difference "
             "of logits. Default: 0; with --noise-floor, the margin that noise may move. --compare "
             "tokens:margin=auto estimates it by the spread of the differences of both sides.",
     .least = 0,
     .automatic = true},
    {.name = kDivergence,
     .flags = "--tokens-kl",
     .metavar = "[OUTPUT:]NATS",
     .help = "tokens: largest mean Kullback-Leibler divergence, in nats. Default: no limit.",
     .least = 0},
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Of the median spread of a row: 3 times the error of a difference of two logits, as the usual
// threshold of noise has it.
constexpr double kOfSpread = 3 * std::numbers::sqrt2;
constexpr size_t kFlipsLogged = 5;  // in full

// Places in TokenSummary::figures().
enum Figure : size_t {
  kMeanKl,
  kMedianKl,
  kKl90,
  kKl99,
  kKl999,
  kMaxKl,
  kMeanChange,
  kRms,
  kChange1,
  kChange99,
  kSameTop,
  kWorstRank,
  kTokens,
  kFlips,
  kWrong,
  kFirstFlip,
  kErrorExcess
};

bool judge(const Figures& figures, const Threshold& threshold) {
  if (figures.size() <= kWrong || !figures[kWrong] || *figures[kWrong] > 0) return false;
  if (figures[kMaxKl] && std::isinf(*figures[kMaxKl])) return false;
  if (figures.size() > kErrorExcess && figures[kErrorExcess].value_or(0) > 1) return false;
  const double limit = threshold.limits.empty() ? kInfinity : threshold.limits[0].value;
  return limit == kInfinity || (figures[kMeanKl] && *figures[kMeanKl] <= limit);
}

std::string number(const std::optional<double>& figure) {
  return figure ? fmt::format("{:.5g}", *figure) : "none";
}

std::string describe(const Figures& figures, const Threshold& threshold) {
  const bool passed = judge(figures, threshold);
  return fmt::format("tokens: {} wrong, mean divergence {} | {}",
                     figures.size() > kWrong ? number(figures[kWrong]) : "?",
                     figures.empty() ? "?" : number(figures[kMeanKl]),
                     passed ? "PASSED" : "FAILED");
}

class Tokens : public MetricFunction {
 public:
  explicit Tokens(const MetricOptions& options) : options_(options) {}

  void begin(const ArrayMap& outputs0, const ArrayMap& outputs1, Logger& log) override {
    for (const std::string_view option : {kAxis, kMargin, kDivergence})
      warn_of_extra_items(option, options_.numbers_of(option), outputs0, outputs1, log);
    judged_ = judged_logits(outputs0, options_.numbers_of(kAxis));
    texts_ = {outputs0.find(kTexts), outputs1.find(kTexts)};
    if (texts_.part()) {
      log.warning(kCompare,
                  "The sides decoded other tokens: logits behind the first other one are of other "
                  "inputs, and are not compared. Decode the same tokens on both to compare all.");
    }
  }

  bool judges(std::string_view name) const override {
    return !judged_ || std::ranges::find(*judged_, name) != judged_->end();
  }

  OutputResult compare(const OutputPair& pair, Logger& log) override {
    OutputResult result;
    const std::string name(pair.name0);
    const bool named = judges(name);
    if (!named || !may_be_logits(pair.a)) {
      if (named)
        log.info(kCompare,
                 fmt::format("Not compared: {} numbers are not logits.", name_of(pair.a.dtype())));
      result.left = result.passed = true;
      return result;
    }
    if (!check(pair, log)) return result;
    const int64_t axis = vocabulary_axis(name, pair.a, options_.numbers_of(kAxis));
    const bool turned = pair.reference_is_second;
    const LogitRows reference(turned ? pair.b : pair.a, axis),
        target(turned ? pair.a : pair.b, axis);
    std::optional<LogitRows> noise;
    if (pair.noise && pair.noise->size() == pair.a.size())
      noise.emplace(pair.noise->reshaped(pair.a.shape()), axis);
    const double given = value_for(options_.numbers_of(kMargin), name, GivenNumber(0)).value;
    const bool estimated = std::isnan(given) && !noise;
    double margin = std::isnan(given) ? 0 : given;
    const auto known_before = [&](int64_t row) { return texts_.same_before(pair.a.shape(), row); };
    if (estimated) {
      TokenSummary all;
      add_rows({reference, target, noise, 0, 1, 0, known_before}, all);
      margin = kOfSpread * all.median_error();
      log.info(kCompare, fmt::format("Margin: {:.5g} at most, an estimate by the spread of the "
                                     "differences of both sides, of half of the rows",
                                     margin));
    }
    TokenSummary summary;
    add_rows({reference, target, noise, margin, pair.noise_threshold, estimated ? margin : 0,
              known_before},
             summary);
    if (other_prompts(pair.a.shape(), summary)) {
      log.error(kCompare, "FAILED | Output: '" + name + "' | The sides were given other prompts");
      return result;
    }
    result.figures = summary.figures();
    result.threshold = threshold(name);
    result.passed = judge(result.figures, result.threshold);
    const bool known = noise || estimated || margin > 0;
    result.tokens = counts(name, reference, summary, known);
    const double allowed = kOfRow * pair.noise_threshold * summary.allowed_of_all();
    explain(summary, known, allowed, result);
    if (estimated && summary.wrong() < static_cast<int64_t>(summary.flips().size()))
      result.tokens->also = "near ties are an estimate, by the spread of the pair itself";
    explain_lost(name, reference, summary, result);
    log_figures(result, log);
    if (const double of_all = result.figures[kErrorExcess].value_or(0); of_all > 0) {
      log.info(kCompare, fmt::format("Error of all logits: {:.3g}× their noise, {:.3g} allowed",
                                     of_all * allowed, allowed));
    }
    log_flips(reference, summary, log);
    conclude(name, summary, result, log);
    return result;
  }

  Threshold threshold(const std::string& output) const override {
    return {
        .error_stat = {},
        .limits = {value_for(options_.numbers_of(kDivergence), output, GivenNumber(kInfinity))}};
  }

 private:
  // The excess, and what is wrong but for tokens. `allowed`: the error of all logits, in noises.
  static void explain(const TokenSummary& summary, bool known, double allowed,
                      OutputResult& result) {
    for (const Flip& flip : summary.flips()) {
      const double excess = flip.excess();
      if (known || std::isinf(excess)) result.excess = std::max(result.excess.value_or(0), excess);
    }
    if (!known && result.tokens->flips > 0) result.excess.reset();
    const double limit = result.threshold.limits[0].value;
    const double divergence = result.figures[kMeanKl].value_or(0);
    if (divergence > limit && result.tokens->wrong == 0) {
      result.excess = limit > 0 ? divergence / limit : kInfinity;
      result.tokens->also =
          fmt::format("the mean divergence of {:.3g} exceeds {:g}", divergence, limit);
    }
    // A fault may move many rows by less than the noise may move one.
    const double of_all = result.figures[kErrorExcess].value_or(0);
    if (of_all > 1 && result.tokens->wrong == 0) {
      result.excess = std::max(result.excess.value_or(0), of_all);
      result.tokens->also =
          fmt::format("but all logits are off by {:.3g}× their noise, {:.3g} allowed",
                      of_all * allowed, allowed);
    }
  }

  // A token with a logit of -inf on one side alone.
  static void explain_lost(const std::string& name, const LogitRows& reference,
                           const TokenSummary& summary, OutputResult& result) {
    if (!summary.lost() || result.tokens->wrong != 0) return;
    result.excess = kInfinity;
    result.tokens->also = fmt::format(
        "but token {} can never follow {}{}: its logit is -inf, and a number in the reference",
        summary.lost()->token, name, place(reference, summary.lost()->row));
  }

  static void conclude(const std::string& name, const TokenSummary& summary, OutputResult& result,
                       Logger& log) {
    if (result.passed && summary.coarse()) {
      result.passed = false;
      result.failure = Agreement::kTooCoarse;
      result.reason = "noise may move most rows' best token below their mean";
      log.error(kCompare,
                "FAILED | Output: '" + name + "' | The precision is too low: " + result.reason);
      return;
    }
    log.log(result.passed ? Severity::kFinish : Severity::kError, kCompare,
            fmt::format("{} | Output: '{}' | {}", result.passed ? "PASSED" : "FAILED", name,
                        to_text(*result.tokens)));
  }

  // Sides that part by themselves prefer other tokens in the row before.
  bool other_prompts(const Shape& logits, const TokenSummary& summary) const {
    return std::ranges::any_of(texts_.last_same(logits), [&](int64_t row) {
      return std::ranges::none_of(summary.flips(),
                                  [&](const Flip& flip) { return flip.row == row; });
    });
  }

  bool check(const OutputPair& pair, Logger& log) const {
    if (!may_be_logits(pair.b)) {
      refuse_types(pair, log);
      return false;
    }
    if (pair.a.shape() == pair.b.shape()) return true;
    const int64_t axis =
        vocabulary_axis(std::string(pair.name0), pair.a, options_.numbers_of(kAxis));
    const auto at = static_cast<size_t>(axis < 0 ? axis + pair.a.rank() : axis);
    if (pair.a.rank() == pair.b.rank() && pair.a.shape()[at] != pair.b.shape()[at]) {
      log.error(
          kCompare,
          fmt::format("FAILED | Output: '{}' | The vocabularies differ: {} tokens and {} along "
                      "axis {}. Models that pad their vocabulary need a cut to the common "
                      "tokens first.",
                      pair.name0, pair.a.shape()[at], pair.b.shape()[at], axis));
    } else {
      log.error(kCompare, "Cannot compare outputs of different shapes.");
    }
    return false;
  }

  static std::string place(const LogitRows& rows, int64_t row) {
    const std::vector<int64_t> position = rows.position(row);
    std::vector<std::string> texts;
    for (const int64_t one : position) texts.push_back(std::to_string(one));
    return "[" + join(texts, ", ") + "]";
  }

  static TokenCounts counts(const std::string& name, const LogitRows& rows,
                            const TokenSummary& summary, bool noise_known) {
    TokenCounts counts{.tokens = summary.tokens(),
                       .flips = static_cast<int64_t>(summary.flips().size()),
                       .wrong = summary.wrong(),
                       .first_wrong = {},
                       .noise_known = noise_known};
    const auto first = std::find_if(summary.flips().begin(), summary.flips().end(),
                                    [](const Flip& flip) { return flip.wrong(); });
    if (first != summary.flips().end()) counts.first_wrong = name + place(rows, first->row);
    for (const Flip& flip : summary.flips()) {
      TokenFlip& one = counts.all_flips.emplace_back();
      one.place = name + place(rows, flip.row);
      one.allowed = flip.limits.margin;
      one.wrong = flip.wrong();
      if (!flip.difference.comparable) continue;
      one.token = flip.difference.reference_token;
      one.instead = flip.difference.target_token;
      one.margin = flip.difference.margin;
    }
    for (const double divergence : summary.divergences()) {
      ++counts.distributions;
      counts.divergences += divergence;
      counts.squared_divergences += divergence * divergence;
    }
    return counts;
  }

  static void log_figures(const OutputResult& result, Logger& log) {
    const Figures& of = result.figures;
    log.info(
        kCompare,
        fmt::format("Tokens: {} | Same top-1: {:.4g} % | Lowest rank of the reference's token: "
                    "{}",
                    number(of[kTokens]), 100 * of[kSameTop].value_or(0), number(of[kWorstRank])));
    log.info(
        kCompare,
        fmt::format("Divergence (nats): mean {}, median {}, 90 % {}, 99 % {}, 99.9 % {}, max {}",
                    number(of[kMeanKl]), number(of[kMedianKl]), number(of[kKl90]),
                    number(of[kKl99]), number(of[kKl999]), number(of[kMaxKl])));
    log.info(kCompare, fmt::format("Change of the token's probability: mean {}, RMS {}, 1 % {}, "
                                   "99 % {}",
                                   number(of[kMeanChange]), number(of[kRms]), number(of[kChange1]),
                                   number(of[kChange99])));
    const double limit = result.threshold.limits[0].value;
    if (limit < kInfinity && !(of[kMeanKl] && *of[kMeanKl] <= limit)) {
      log.error(kCompare, fmt::format("The mean divergence exceeds {:g}.", limit));
    }
  }

  static std::string text_of(const Flip& flip, const std::string& place) {
    const TokenDifference& one = flip.difference;
    if (!one.comparable)
      return fmt::format("Position {}: a row has NaNs, an infinite largest logit, or none", place);
    std::string text = fmt::format(
        "Position {}: token {} became {} | margin {:.5g}, allowed {:.5g} | rank {}", place,
        one.reference_token, one.target_token, one.margin, flip.limits.margin, one.rank);
    if (std::isfinite(flip.limits.error))
      text += fmt::format(" | error {:.5g}, allowed {:.5g}", one.error, flip.limits.error);
    return text;
  }

  // The first that flips, and those that are wrong.
  static void log_flips(const LogitRows& rows, const TokenSummary& summary, Logger& log) {
    if (summary.flips().empty()) return;
    const Flip& first = summary.flips().front();
    log.info(kCompare, "First divergent position: " + place(rows, first.row));
    size_t logged = 0;
    for (const Flip& flip : summary.flips()) {
      if (!flip.wrong() || ++logged > kFlipsLogged) continue;
      log.error(kCompare, text_of(flip, place(rows, flip.row)));
    }
    if (logged > kFlipsLogged)
      log.error(kCompare, fmt::format("{} more positions", logged - kFlipsLogged));
  }

  MetricOptions options_;
  std::optional<std::vector<std::string>> judged_;  // outputs; nullopt: all
  DecodedTexts texts_;
};

std::unique_ptr<MetricFunction> make_metric(const MetricOptions& options) {
  return std::make_unique<Tokens>(options);
}

}  // namespace

extern constinit const Metric metric_tokens = {
    .name = "tokens",
    .label = "tokens",
    .summary = "the tokens that logits prefer, and the divergence of their distributions",
    .order = 20,
    .make = make_metric,
    .options = kOptions,
    .figures = kTokenFigures,
    .result_class = "TokensResult",
    .threshold_class = "TokensThreshold",
    .limits = "kl",
    .judge = judge,
    .describe = describe,
    .of_elements = false,
    .reads_noise = true,
    .reads_first = kTexts,
};

}  // namespace polygraphy
