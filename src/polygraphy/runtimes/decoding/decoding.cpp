#include "polygraphy/runtimes/decoding/decoding.h"

#include <algorithm>
#include <utility>

#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/data/inputs/wrapped_feeds.h"
#include "polygraphy/models/decoder/decoder_names.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/runtimes/backend/runner.h"
#include "polygraphy/runtimes/decoding/decode.h"

namespace polygraphy {
namespace {

constexpr int64_t kManySteps = 1000;
constexpr int64_t kMostSteps = int64_t{1} << 20;  // more than the positions of any model

void check_steps(int64_t steps) {
  if (steps < 0) {
    throw Error("A run cannot decode " + std::to_string(steps) + " steps",
                "Give 0, for a prefill only, or more.");
  }
  if (steps > kMostSteps) {
    throw Error("A run cannot decode " + std::to_string(steps) + " steps, but " +
                    std::to_string(kMostSteps) + " at most",
                "Give fewer.");
  }
}

ValueMap others_of(const DecoderForm& form, const ValueMap& feed) {
  ValueMap others;
  for (const std::string& name : form.others) {
    if (const Value* value = feed.find(name)) others.set(name, *value);
  }
  return others;
}

Metadata of_prompt(const DecoderForm& form, const Metadata& inputs) {
  Metadata wanted;
  for (const auto& [name, info] : inputs) {
    const bool other = std::ranges::find(form.others, name) != form.others.end();
    if (name == form.tokens || other) wanted.set(name, info);
  }
  return wanted;
}

// Every run on prompts takes them from here. With tokens outside of the vocabulary, engines read
// outside of its table, or their message names an operator.
TokenRows prompt_of(const DecoderForm& form, const ValueMap& feed) {
  const Value* value = feed.find(form.tokens);
  if (!value || !value->as_tensor())
    throw Error("The inputs have no '" + form.tokens + "': a prompt is missing");
  TokenRows prompt = token_rows(*value->as_tensor());
  for (const int64_t id : prompt.ids) {
    if (id >= 0 && (form.vocabulary == 0 || id < form.vocabulary)) continue;
    throw Error(
        "The prompt has the token " + std::to_string(id) + ", but the vocabulary has " +
        (form.vocabulary == 0 ? "no negative ones" : std::to_string(form.vocabulary) + " tokens"));
  }
  return prompt;
}

class DecodingRunner : public Runner {
 public:
  DecodingRunner(std::shared_ptr<Runner> runner, std::shared_ptr<Decoding> decoding)
      : Runner(runner->name()), runner_(std::move(runner)), decoding_(std::move(decoding)) {}
  ~DecodingRunner() override { deactivate(); }

  void begin_activation() noexcept override { runner_->begin_activation(); }
  void begin_deactivation() noexcept override { runner_->begin_deactivation(); }
  std::string precision() override { return runner_->precision(); }

 protected:
  void activate_impl() override { runner_->activate(); }
  void deactivate_impl() noexcept override {
    if (runner_->active()) runner_->deactivate();
  }

  Metadata input_metadata_impl() override {
    const DecoderForm& form = decoding_->form();
    // Prompts are not reshaped to sizes that the model fixes: require_tokens() refuses them.
    Metadata prompts = of_prompt(form, runner_->input_metadata());
    if (TensorInfo* tokens = prompts.find(form.tokens); tokens && tokens->shape) {
      for (Dim& size : *tokens->shape) size = Dim();
    }
    return prompts;
  }

  Inference infer_impl(const ValueMap& feed) override {
    const DecoderForm& form = decoding_->form();
    const DecodeOptions& options = decoding_->options();
    const TokenRows prompt = prompt_of(form, feed);
    const ValueMap others = others_of(form, feed);
    const TokenRows* known = options.free_run ? nullptr : decoding_->known(prompt);
    require_known(prompt, known);
    require_tokens(prompt);
    Inference all;
    const auto infer = [&](const ValueMap& step) {
      ValueMap outputs = runner_->infer(step);
      all.seconds += runner_->last_inference_seconds();
      return outputs;
    };
    Decoded decoded =
        decode(form, {.prompt = prompt, .steps = options.steps, .forced = known, .others = &others},
               infer);
    all.outputs.set(form.logits, std::move(decoded.logits));
    all.outputs.set(std::string(kTokensOutput), array_of(decoded.tokens, DataType::kInt64));
    for (auto& [name, state] : decoded.states) all.outputs.set(name, std::move(state));
    if (!known) decoding_->add(std::move(decoded.tokens));
    return all;
  }

 private:
  void require_known(const TokenRows& prompt, const TokenRows* known) const {
    if (known || !decoding_->forced() || decoding_->options().free_run) return;
    throw Error("The saved outputs have no tokens for this prompt of " +
                    std::to_string(prompt.length) + " tokens and " +
                    std::to_string(decoding_->options().steps) + " steps",
                "Decode the prompts of the saved outputs, with as many steps.");
  }

  void require_tokens(const TokenRows& prompt) const {
    const DecoderForm& form = decoding_->form();
    const DimList shape = form.inputs.find(form.tokens)->shape.value_or(DimList{});
    const bool batch = shape.size() == 2;
    if (batch && shape[0].is_static() && shape[0].value() != prompt.rows) {
      throw Error("The model takes " + std::to_string(shape[0].value()) +
                      " rows of tokens, and the "
                      "prompt has " +
                      std::to_string(prompt.rows),
                  "Give as many rows.");
    }
    if (form.step_tokens > 1) {
      throw Error("The token axis is fixed at " + std::to_string(form.step_tokens) +
                      "; decoding needs a dynamic length",
                  "Export the model with a dynamic length, or for one token at a time.");
    }
    const bool shifts =
        std::ranges::any_of(form.states, [](const auto& state) { return state.span > 0; });
    if (shifts && form.mask.empty()) {
      throw Error(
          "The model has a past of a fixed length and no mask, so that it reads positions "
          "that no token has filled",
          "Export it with a mask, or with an open length.");
    }
  }

  const std::shared_ptr<Runner> runner_;
  const std::shared_ptr<Decoding> decoding_;
};

// Feeds that are made of prompts.
class MadeFeeds : public FeedSource {
 public:
  MadeFeeds(std::shared_ptr<const Decoding> decoding, std::unique_ptr<FeedSource> prompts)
      : decoding_(std::move(decoding)), prompts_(std::move(prompts)) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    const auto feed = prompts_->next(of_prompt(decoding_->form(), inputs));
    if (!feed) return std::nullopt;
    return make(prompt_of(decoding_->form(), *feed), others_of(decoding_->form(), *feed));
  }
  std::optional<int64_t> total() const override { return prompts_->total(); }
  std::string place() const override { return prompts_->place(); }

 protected:
  const Decoding& decoding() const { return *decoding_; }
  virtual ValueMap make(const TokenRows& prompt, const ValueMap& others) = 0;

 private:
  const std::shared_ptr<const Decoding> decoding_;
  const std::unique_ptr<FeedSource> prompts_;
};

class UnpaddedPrompts : public WrappedFeeds {
 public:
  UnpaddedPrompts(DecoderForm form, std::unique_ptr<FeedSource> prompts)
      : WrappedFeeds(std::move(prompts)), form_(std::move(form)) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    auto feed = WrappedFeeds::next(inputs);
    const Value* mask = feed && !form_.mask.empty() ? feed->find(form_.mask) : nullptr;
    if (mask && mask->as_tensor() && hides(*mask->as_tensor())) {
      throw Error("The mask '" + form_.mask + "' of a prompt hides tokens: " + place(),
                  "Give prompts without padding, one by one if their lengths differ.");
    }
    return feed;
  }

 private:
  static bool hides(const Array& mask) {
    for (int64_t i = 0; i < mask.size(); ++i) {
      if (mask.get_double(i) == 0) return true;
    }
    return false;
  }

  const DecoderForm form_;
};

class SavedPrompts : public WrappedFeeds {
 public:
  SavedPrompts(std::shared_ptr<const Decoding> decoding, std::unique_ptr<FeedSource> prompts)
      : WrappedFeeds(std::move(prompts)), decoding_(std::move(decoding)) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    auto feed = WrappedFeeds::next(inputs);
    if (feed) decoding_->require_saved(iteration_++, prompt_of(decoding_->form(), *feed));
    return feed;
  }

 private:
  const std::shared_ptr<const Decoding> decoding_;
  size_t iteration_ = 0;
};

// The whole text with an empty cache.
ValueMap in_one_inference(const DecoderForm& form, const TokenRows& tokens,
                          const ValueMap& others) {
  if (form.step_tokens > 0 && form.step_tokens != tokens.length) {
    throw Error("The token axis is fixed at " + std::to_string(form.step_tokens) +
                    " tokens at a time, and the text of " + std::to_string(tokens.length) +
                    " tokens would have to run in one inference",
                "Export it with an open length.");
  }
  return step_feed(form, {.tokens = tokens}, first_states(form, tokens.rows), others);
}

class DecodedFeeds : public MadeFeeds {
  using MadeFeeds::MadeFeeds;

  ValueMap make(const TokenRows& prompt, const ValueMap& others) override {
    const DecoderForm& form = decoding().form();
    const TokenRows* tokens = decoding().known(prompt);
    if (!tokens) throw Error("No runner has decoded this prompt", "Give the prompts of the run.");
    return in_one_inference(form, tokens->part(0, tokens->length - 1), others);
  }
};

class PrefillFeeds : public MadeFeeds {
  using MadeFeeds::MadeFeeds;

  ValueMap make(const TokenRows& prompt, const ValueMap& others) override {
    return in_one_inference(decoding().form(), prompt, others);
  }
};

class StepFeeds : public MadeFeeds {
 public:
  StepFeeds(std::shared_ptr<const Decoding> decoding, int64_t step, std::shared_ptr<Runner> runner,
            std::unique_ptr<FeedSource> prompts)
      : MadeFeeds(std::move(decoding), std::move(prompts)),
        step_(step),
        runner_(std::move(runner)) {}

 private:
  ValueMap make(const TokenRows& prompt, const ValueMap& others) override {
    ActiveRunner active(*runner_);
    return feed_of_step(decoding().form(), {.prompt = prompt, .steps = step_, .others = &others},
                        step_, [&](const ValueMap& feed) { return active.infer(feed); });
  }

  const int64_t step_;
  const std::shared_ptr<Runner> runner_;
};

}  // namespace

const TokenRows* Decoding::known(const TokenRows& prompt) const {
  const int64_t length = prompt.length + options_.steps + 1;
  const auto found = std::ranges::find_if(known_, [&](const TokenRows& tokens) {
    return tokens.length == length && tokens.rows == prompt.rows &&
           tokens.part(0, prompt.length) == prompt;
  });
  return found == known_.end() ? nullptr : &*found;
}

std::vector<std::string> Decoding::caches() const {
  std::vector<std::string> names;
  for (const DecoderState& state : form_.states) {
    if (options_.steps > 0) names.push_back(state.present);
  }
  return names;
}

void Decoding::require_saved(size_t iteration, const TokenRows& prompt) const {
  const TokenRows* tokens = known(prompt);
  if (!tokens || iteration >= forced_ || *tokens == known_[iteration]) return;
  throw Error("Prompt " + std::to_string(iteration) + " is prompt " +
                  std::to_string(tokens - known_.data()) +
                  " of the saved outputs: its results would be compared with another prompt's",
              "Decode the prompts of the saved outputs, in their order.");
}

std::shared_ptr<Decoding> decoding_of(const ModelSource& model, DecodeOptions options,
                                      RunnerFactory& factory, Logger& log) {
  check_steps(options.steps);
  const DecoderNames names =
      options.names.empty() ? DecoderNames{} : load_decoder_names(options.names);
  Logger quiet;
  DecoderForm form = decoder_form(*load_onnx(factory.onnx(model), quiet), names, options.steps > 0);
  const bool clashes =
      form.logits == kTokensOutput || std::ranges::any_of(form.states, [](const auto& state) {
        return state.present == kTokensOutput;
      });
  if (clashes) {
    throw Error("An output of the model is called 'tokens', as the tokens that a run decodes are",
                "Rename it.");
  }
  log.info(log_modules::kRun, "Decoding with:");
  const std::string text = to_text(form);
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty()) log.info(log_modules::kRun, "    " + std::string(line));
  }
  if (options.steps > kManySteps) {
    log.warning(log_modules::kRun,
                std::to_string(options.steps) +
                    " steps take as many inferences for each prompt, one by one");
  }
  return std::make_shared<Decoding>(std::move(form), std::move(options));
}

Runners decoding_runners(const Runners& runners, const std::shared_ptr<Decoding>& decoding) {
  Runners decoders;
  for (const auto& runner : runners)
    decoders.push_back(std::make_shared<DecodingRunner>(runner, decoding));
  return decoders;
}

std::unique_ptr<FeedSource> decoded_feeds(std::shared_ptr<const Decoding> decoding,
                                          std::unique_ptr<FeedSource> prompts) {
  return std::make_unique<DecodedFeeds>(std::move(decoding), std::move(prompts));
}

std::unique_ptr<FeedSource> unpadded_prompts(DecoderForm form,
                                             std::unique_ptr<FeedSource> prompts) {
  return std::make_unique<UnpaddedPrompts>(std::move(form), std::move(prompts));
}

std::function<std::unique_ptr<FeedSource>()> saved_prompts(
    std::shared_ptr<const Decoding> decoding,
    std::function<std::unique_ptr<FeedSource>()> prompts) {
  return [decoding = std::move(decoding), prompts = std::move(prompts)] {
    return std::make_unique<SavedPrompts>(decoding, prompts());
  };
}

std::function<std::unique_ptr<FeedSource>()> prefill_feeds(
    std::shared_ptr<const Decoding> decoding,
    std::function<std::unique_ptr<FeedSource>()> prompts) {
  return [decoding = std::move(decoding), prompts = std::move(prompts)] {
    return std::make_unique<PrefillFeeds>(decoding, prompts());
  };
}

std::unique_ptr<FeedSource> step_feeds(std::shared_ptr<const Decoding> decoding, int64_t step,
                                       std::shared_ptr<Runner> runner,
                                       std::unique_ptr<FeedSource> prompts) {
  return std::make_unique<StepFeeds>(std::move(decoding), step, std::move(runner),
                                     std::move(prompts));
}

}  // namespace polygraphy
