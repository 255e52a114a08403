#include "polygraphy/runtimes/decoding/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/arrays/convert.h"
#include "base/arrays/py_repr.h"
#include "base/progress.h"
#include "polygraphy/runtimes/decoding/joined_arrays.h"

namespace polygraphy {
namespace {

class Decoder {
 public:
  Decoder(const DecoderForm& form, const DecodePlan& plan, const InferStep& infer)
      : form_(form),
        plan_(plan),
        infer_(infer),
        pieces_(plan.pieces.begin(), plan.pieces.end()),
        tokens_(plan.prompt) {
    if (pieces_.empty() && form.step_tokens > 0)
      pieces_.assign(static_cast<size_t>(plan.prompt.length / form.step_tokens), form.step_tokens);
    if (pieces_.empty()) pieces_ = {plan.prompt.length};
    check();
    states_ = first_states(form, plan.prompt.rows);
  }

  // All pieces of the prompt, then steps up to this one.
  void run(int64_t steps) {
    prefill(pieces_.size());
    ProgressPhase phase("decoding", steps);
    for (int64_t i = 0; i < steps; ++i) {
      step();
      phase.step();
    }
  }

  ValueMap feed_of(int64_t step) {
    if (step == 0) {
      prefill(pieces_.size() - 1);
      return feed(plan_.prompt.part(past_, plan_.prompt.length));
    }
    run(step - 1);
    return feed(tokens_.part(past_, past_ + 1));
  }

  Decoded take() {
    Decoded decoded{.logits = joined(logits_, 1), .tokens = std::move(tokens_), .states = {}};
    for (const DecoderState& state : form_.states) {
      if (const Value* value = states_.find(state.past); value && value->as_tensor())
        decoded.states.set(state.present, *value->as_tensor());
    }
    return decoded;
  }

 private:
  void check() const {
    const int64_t needed = plan_.prompt.length + plan_.steps;
    if (plan_.forced &&
        (plan_.forced->rows != plan_.prompt.rows || plan_.forced->length < needed)) {
      throw Error(
          fmt::format("{} rows of {} tokens cannot force {} rows of a prompt of {} tokens and "
                      "{} steps",
                      plan_.forced->rows, plan_.forced->length, plan_.prompt.rows,
                      plan_.prompt.length, plan_.steps));
    }
    if (form_.positions_known > 0 && form_.positions_known < needed) {
      throw Error(fmt::format("The model knows {} positions ('{}'), and the prompt of {} tokens "
                              "with {} steps needs {}",
                              form_.positions_known, form_.position_table, plan_.prompt.length,
                              plan_.steps, needed),
                  "Give a shorter prompt, or fewer steps.");
    }
    for (const DecoderState& state : form_.states) {
      const int64_t room = state.room().value_or(needed);
      if (room < needed) {
        throw Error(
            fmt::format("The buffer '{}' holds {} positions, and the prompt of {} tokens with "
                        "{} steps needs {}",
                        state.past, room, plan_.prompt.length, plan_.steps, needed),
            "Give a shorter prompt, or fewer steps.");
      }
    }
  }

  void prefill(size_t pieces) {
    for (size_t i = 0; i < pieces; ++i) infer(plan_.prompt.part(past_, past_ + pieces_[i]));
    if (past_ == plan_.prompt.length) choose();
  }

  void step() {
    infer(tokens_.part(past_, past_ + 1));
    choose();
  }

  ValueMap feed(const TokenRows& tokens) const {
    static const ValueMap kNone;
    return step_feed(form_, {.tokens = tokens, .past = past_, .padding = plan_.padding}, states_,
                     plan_.others ? *plan_.others : kNone);
  }

  void infer(const TokenRows& tokens) {
    ValueMap outputs = infer_(feed(tokens));
    const Value* value = outputs.find(form_.logits);
    const Array* logits = value ? value->as_tensor() : nullptr;
    if (!logits || logits->rank() != 3 || logits->shape()[0] != tokens.rows ||
        logits->shape()[1] < 1 || logits->shape()[2] < 1) {
      throw Error(
          fmt::format("Output '{}' has the shape {}, not [batch, tokens, vocabulary] = ({}, "
                      "{}, ...)",
                      form_.logits, logits ? py_tuple_repr(logits->shape()) : "of no tensor",
                      tokens.rows, tokens.length));
    }
    if (kind_of(logits->dtype()) == Kind::kString)
      throw Error(fmt::format("Output '{}' has texts, but logits are numbers", form_.logits));
    logits_.push_back(*logits);
    for (const DecoderState& state : form_.states) take_state(state, outputs, tokens.length);
    past_ += tokens.length;
  }

  void take_state(const DecoderState& state, const ValueMap& outputs, int64_t added) {
    const Value* value = outputs.find(state.present);
    const Array* present = value ? value->as_tensor() : nullptr;
    if (!present) {
      throw Error(fmt::format("The model did not return the cache '{}'", state.present),
                  "Keep it among the outputs.");
    }
    const Value* before = states_.find(state.past);
    const bool had_elements = before->as_tensor() && before->as_tensor()->size() > 0;
    // A branch for steps returns nothing of the encoder's caches, or a dummy.
    if (past_ > 0 && (state.once || (present->size() == 0 && had_elements))) return;
    Array whole = *present;
    if (state.axis >= 0 && state.axis < present->rank()) {
      const auto axis = static_cast<size_t>(state.axis);
      const int64_t length = present->shape()[axis];
      // Some models return the new positions only.
      if (length == added && past_ + state.span > 0)
        whole = joined({*before->as_tensor(), whole}, axis);
      if (state.span > 0) whole = last_of(whole, axis, state.past_length());
    }
    states_.set(state.past, std::move(whole));
  }

  // The next token of each row.
  void choose() {
    if (plan_.forced && tokens_.length < plan_.forced->length) {
      tokens_ = plan_.forced->part(0, tokens_.length + 1);
      return;
    }
    const Array wide =
        convert(logits_.back().contiguous_aligned(), DataType::kFloat32).contiguous_aligned();
    const auto numbers = wide.as<float>();
    const auto rows = wide.shape()[0], length = wide.shape()[1], size = wide.shape()[2];
    TokenRows next{rows, 1, {}};
    for (int64_t row = 0; row < rows; ++row) {
      const auto last = numbers.begin() + ((row + 1) * length - 1) * size;
      next.ids.push_back(std::max_element(last, last + size) - last);
    }
    tokens_.append(next);
  }

  const DecoderForm& form_;
  const DecodePlan& plan_;
  const InferStep& infer_;
  std::vector<int64_t> pieces_;  // of the prompt
  TokenRows tokens_;             // up to the one that comes next
  ValueMap states_;              // by names of inputs
  int64_t past_ = 0;             // positions in them
  std::vector<Array> logits_;
};

}  // namespace

Decoded decode(const DecoderForm& form, const DecodePlan& plan, const InferStep& infer) {
  Decoder decoder(form, plan, infer);
  decoder.run(plan.steps);
  return decoder.take();
}

ValueMap feed_of_step(const DecoderForm& form, const DecodePlan& plan, int64_t step,
                      const InferStep& infer) {
  return Decoder(form, plan, infer).feed_of(step);
}

}  // namespace polygraphy
