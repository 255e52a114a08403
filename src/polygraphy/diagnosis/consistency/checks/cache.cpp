// A language model's cache: one prefill against the same tokens in several steps, and a padded row
// against the row alone. The noise of the number format decides: steps and prefills add in other
// orders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/arrays/convert.h"
#include "polygraphy/diagnosis/consistency/consistency_check.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/models/decoder/some_tokens.h"
#include "polygraphy/models/noise/tensor_error.h"
#include "polygraphy/runtimes/decoding/decode.h"
#include "polygraphy/runtimes/decoding/joined_arrays.h"

namespace polygraphy {
namespace {

constexpr int64_t kPrefill = 4, kPadding = 3;

class CacheCheck {
 public:
  explicit CacheCheck(const CheckSubject& subject)
      : subject_(subject), runs_(subject.runs()), form_(*runs_.facts().decoder) {}

  void run() {
    const DimList shape = form_.inputs.find(form_.tokens)->shape.value_or(DimList{});
    if (shape.size() == 2 && shape[1].is_static())
      return subject_.not_applicable("the model takes a fixed number of tokens at a time");
    if (shape.size() == 2 && shape[0].is_static() && shape[0].value() != 1)
      return subject_.not_applicable("the model takes a fixed number of rows");
    const int64_t length = tokens_that_fit();
    if (length < 2 * kPrefill) {
      return subject_.not_applicable(fmt::format(
          "the cache has room for {} tokens, and the check needs {}", length, 2 * kPrefill));
    }
    one_ = others_of(1);
    const TokenRows tokens = some_tokens(form_, 1, length, 0);
    const Decoded whole = decode({.prompt = tokens, .others = &one_});
    if (!is_finite(whole.logits))
      return subject_.not_applicable("the logits of a prefill have NaNs or infinities");
    find_tolerance(tokens);
    compare_steps(tokens, whole);
    // The branch for steps may take one token only.
    if (form_.uses_cache.empty()) compare_pieces(tokens, whole);
    compare_rows(tokens);
    compare_padding(tokens);
  }

 private:
  static bool is_finite(const Array& logits) {
    const Array wide =
        convert(logits.contiguous_aligned(), DataType::kFloat32).contiguous_aligned();
    return std::ranges::all_of(wide.as<float>(),
                               [](float number) { return std::isfinite(number); });
  }

  Decoded decode(const DecodePlan& plan) {
    const auto infer = [&](const ValueMap& feed) { return values_of(runs_.infer(feed)); };
    return polygraphy::decode(form_, plan, infer);
  }

  int64_t tokens_that_fit() const {
    int64_t most = kUsualPrompt;
    if (form_.positions_known > 0) most = std::min(most, form_.positions_known);
    for (const DecoderState& state : form_.states)
      most = std::min(most, state.room().value_or(most));
    return most;
  }

  // Values of DecoderForm::others for as many texts: the first row of a batch of them, repeated.
  ValueMap others_of(int64_t rows) {
    ValueMap others;
    const ValueMap& given = runs_.feeds().front();
    const int64_t batch = given.find(form_.tokens)->tensor().shape().front();
    const Dim size = form_.inputs.find(form_.tokens)->shape.value_or(DimList{Dim()}).front();
    for (const std::string& name : form_.others) {
      const Value* value = given.find(name);
      if (!value) continue;
      const Array* array = value->as_tensor();
      const DimList shape = form_.inputs.find(name)->shape.value_or(DimList{});
      const bool of_batch = array && array->rank() > 0 && array->shape()[0] == batch &&
                            !shape.empty() && !shape.front().is_static() &&
                            shape.front().param() == size.param();
      if (!of_batch) {
        others.set(name, *value);
      } else {
        others.set(name,
                   joined(std::vector<Array>(static_cast<size_t>(rows), rows_of(*array, 0, 1)), 0));
      }
    }
    return others;
  }

  // The largest noise of the logits of a prefill: the model itself says how far they may move.
  void find_tolerance(const TokenRows& tokens) {
    std::vector<std::string> presents;
    for (const DecoderState& state : form_.states) presents.push_back(state.present);
    RoundingNoise noise(
        runs_, [&] { return step_feed(form_, {.tokens = tokens}, first_states(form_, 1), one_); },
        presents);
    const double largest = noise.largest(form_.logits);
    if (!noise.failure().empty()) throw Error(noise.failure());
    has_noise_ = largest > 0;
    const OutputTolerance least =
        runs_.job().tolerance ? runs_.job().tolerance(form_.logits) : OutputTolerance{};
    tolerance_ = [tolerance =
                      std::max(least.absolute, kNoiseThreshold * largest)](const std::string&) {
      return OutputTolerance{.absolute = tolerance, .relative = 0};
    };
  }

  // Models may return the logits of the last token only.
  void compare_logits(const Array& whole, const Array& parts, WorstDifference& difference,
                      ConsistencyRow& row) {
    const int64_t positions = std::min(whole.shape()[1], parts.shape()[1]);
    const Array one = last_positions(whole, positions), other = last_positions(parts, positions);
    WorstDifference by_tolerance(tolerance_);
    by_tolerance.compare(form_.logits, one, other);
    if (!has_noise_ && by_tolerance.verdict() == ConsistencyVerdict::kDiffers) {
      const double relative = measure_error(one, other, NumberFormat::kFloat32).relative();
      std::string no_noise = fmt::format(
          "evaluations of the model with rounding noise show no finite noise of the logits, which "
          "differ by {:.3g}",
          by_tolerance.worst()->largest_absolute);
      if (relative <= rules::kSmall) throw Error(no_noise + ", so nothing says whether they may");
      row.notes.push_back(
          fmt::format("{}: no rounding is {:.2g} % of them", no_noise, 100 * relative));
    }
    difference.compare(form_.logits, one, other);
  }

  static Array last_positions(const Array& logits, int64_t count) {
    const Shape& shape = logits.shape();
    if (shape[1] == count) return logits;
    const Array rows = logits.contiguous_aligned().reshaped({shape[0] * shape[1], shape[2]});
    return rows_of(rows, rows.shape()[0] - count, count).reshaped({1, count, shape[2]});
  }

  void compare_steps(const TokenRows& tokens, const Decoded& whole) {
    const int64_t steps = tokens.length - kPrefill;
    const TokenRows prompt = tokens.part(0, kPrefill);
    subject_.compare(fmt::format("a prefill of {} tokens against one of {} and {} steps",
                                 tokens.length, kPrefill, steps),
                     tolerance_, [&](WorstDifference& difference, ConsistencyRow& row) {
                       const Decoded parts = decode(
                           {.prompt = prompt, .steps = steps, .forced = &tokens, .others = &one_});
                       compare_logits(whole.logits, parts.logits, difference, row);
                       note_dynamic_steps(difference, row);
                     });
  }

  void compare_pieces(const TokenRows& tokens, const Decoded& whole) {
    std::vector<int64_t> pieces;
    for (int64_t left = tokens.length; left > 0; left -= pieces.back())
      pieces.push_back(std::min(left, kPrefill));
    subject_.compare(
        fmt::format("a prefill of {} tokens against pieces of {}", tokens.length, kPrefill),
        tolerance_, [&](WorstDifference& difference, ConsistencyRow& row) {
          const Decoded parts = decode({.prompt = tokens, .pieces = pieces, .others = &one_});
          compare_logits(whole.logits, parts.logits, difference, row);
          note_dynamic_steps(difference, row);
        });
  }

  void compare_rows(const TokenRows& tokens) {
    if (!open_batch()) return;
    const TokenRows other = some_tokens(form_, 1, tokens.length, 1);
    TokenRows both{2, tokens.length, other.ids};
    both.ids.insert(both.ids.end(), tokens.ids.begin(), tokens.ids.end());
    const int64_t steps = tokens.length - kPrefill;
    const TokenRows prompt = both.part(0, kPrefill);
    subject_.compare(
        fmt::format("two rows, {} steps, against each row alone", steps), tolerance_,
        [&](WorstDifference& difference, ConsistencyRow& row) {
          const ValueMap others = others_of(2);
          const Decoded together =
              decode({.prompt = prompt, .steps = steps, .forced = &both, .others = &others});
          int64_t place = 0;
          for (const TokenRows& alone : {other, tokens}) {
            const Decoded one = decode({.prompt = alone, .others = &one_});
            compare_logits(one.logits, rows_of(together.logits, place++, 1), difference, row);
          }
          note_dynamic_steps(difference, row);
        });
  }

  // Of two rows, the second begins with padding; steps follow for both.
  void compare_padding(const TokenRows& tokens) {
    // Without positions, the mask cannot say where a row begins: such models take padding behind
    // the tokens.
    if (form_.mask.empty() || form_.positions.empty() || !open_batch()) return;
    const int64_t prefill = tokens.length / 2, steps = tokens.length - prefill;
    TokenRows padded{2, tokens.length, tokens.ids};
    TokenRows row = tokens.part(0, tokens.length - kPadding);
    padded.ids.insert(padded.ids.end(), static_cast<size_t>(kPadding), tokens.ids.front());
    padded.ids.insert(padded.ids.end(), row.ids.begin(), row.ids.end());
    const TokenRows prompt = padded.part(0, prefill);
    const std::vector<int64_t> padding = {0, kPadding};
    subject_.compare(
        fmt::format("a row behind {} tokens of padding, and {} steps, against the row alone",
                    kPadding, steps),
        tolerance_, [&](WorstDifference& difference, ConsistencyRow& found) {
          const ValueMap others = others_of(2);
          const Decoded alone = decode({.prompt = row, .others = &one_});
          const Decoded both = decode({.prompt = prompt,
                                       .steps = steps,
                                       .forced = &padded,
                                       .padding = padding,
                                       .others = &others});
          const Array second = rows_of(both.logits, 1, 1);
          compare_logits(alone.logits, last_positions(second, second.shape()[1] - kPadding),
                         difference, found);
          note_dynamic_steps(difference, found);
        });
  }

  bool open_batch() const {
    const TensorInfo& info = *form_.inputs.find(form_.tokens);
    return info.shape && info.shape->size() == 2 && !info.shape->front().is_static();
  }

  void note_dynamic_steps(const WorstDifference& difference, ConsistencyRow& row) const {
    if (runs_.facts().dynamic_steps && difference.worst())
      row.notes.emplace_back(
          "the model quantises activations itself, by the numbers around them, so prefill and "
          "steps "
          "round otherwise: that counts as noise");
  }

  const CheckSubject& subject_;
  EngineRuns& runs_;
  const DecoderForm& form_;
  ValueMap one_;  // others of one text
  bool has_noise_ = true;
  std::function<OutputTolerance(const std::string&)> tolerance_;
};

void run_check(const CheckSubject& subject) {
  const ModelFacts& facts = subject.runs().facts();
  if (facts.decoder) return CacheCheck(subject).run();
  subject.not_applicable(facts.inputs.empty() ? "not an ONNX model" : "the model has no cache");
}

}  // namespace

extern constinit const ConsistencyCheck consistency_check_cache = {
    .name = "cache",
    .summary = "one prefill against steps with a cache, and a padded row against the row alone",
    .order = 9,
    .run = run_check};

}  // namespace polygraphy
