#include "cli/jobs/decoding_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "cli/args/decoding.h"
#include "cli/jobs/option_warnings.h"
#include "polygraphy/comparison/compare/metric_choice.h"
#include "polygraphy/comparison/run/result_stream.h"
#include "polygraphy/data/inputs/feeds_in_range.h"
#include "polygraphy/data/inputs/prompts.h"
#include "polygraphy/models/decoder/some_tokens.h"
#include "polygraphy/models/loaders/load_onnx.h"
#include "polygraphy/runtimes/decoding/prompt_source.h"

namespace polygraphy::cli {
namespace {

// They need the outputs of one inference, or all of them at once.
constexpr std::string_view kContrary[] = {
    "--mem-limit", "--benchmark", "--on", "--save-task", "--save-intermediate-outputs", "--metric"};

constexpr std::string_view kOtherTexts[] = {
    "--decode",     "--free-run",          "--prompt", "--prompts", "--load-inputs",
    "--input-file", "--data-loader-script"};

constexpr std::string_view kOtherInputs[] = {"--load-inputs", "--input-file",
                                             "--data-loader-script"};

bool gives_inputs(const ParsedArgs& args) {
  return std::ranges::any_of(kOtherInputs, [&](auto given) { return args.has(given); });
}

// Of a language model with caches. nullopt: another model, or one that does not load: the run says
// so.
std::optional<DecoderForm> form_with_caches(const ModelSource& model) {
  try {
    Logger quiet;
    DecoderForm form = decoder_form(*load_onnx(model, quiet));
    return form.states.empty() ? std::nullopt : std::optional(std::move(form));
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Generated values of caches, masks and positions do not fit each other.
void warn_of_caches(Session& session, const std::string& model) {
  if (gives_inputs(session.args())) return;
  const auto form = form_with_caches({.path = model});
  if (!form) return;
  session.log().warning(
      log_modules::kArgUtil,
      fmt::format("The model takes a cache ({}). Generated caches, masks and positions do not "
                  "fit each other: --decode 0 runs a prompt, --decode N that and N steps.",
                  form->states.front().past));
}

void force_by_loaded(const RunPlan& plan, Decoding& decoding, Logger& log) {
  if (plan.options.load_outputs.empty() || decoding.options().free_run) return;
  const auto results =
      loaded_results(plan.options.load_outputs.front(), log, true, plan.options.torch);
  const auto tokens_of = [](const IterationResult& result) -> std::optional<TokenRows> {
    for (size_t i = 0; i < result.outputs.size(); ++i) {
      if (result.outputs.at_index(i).first == kTokensOutput) return token_rows(result.output(i));
    }
    return std::nullopt;
  };
  while (const auto next = results->next()) {
    // Of several runners, the first one forces, as in a run.
    for (const IterationResult& result : *next) {
      auto tokens = tokens_of(result);
      if (!tokens) continue;
      decoding.force(std::move(*tokens));
      break;
    }
  }
}

}  // namespace

std::function<std::unique_ptr<FeedSource>()> prompts_for(
    Session& session, const CommandSetup& setup, const DecoderForm& form,
    std::function<std::unique_ptr<FeedSource>()> inputs,
    const std::shared_ptr<UserPython>& python) {
  const ParsedArgs& args = session.args();
  for (const std::string_view prompts : {"--prompt", "--prompts"}) {
    if (args.has(prompts)) refuse_together(args, prompts, kOtherInputs);
  }
  const DataLoaderOptions& options = setup.inputs.options;
  PromptSource source{
      .prompts = resolve_prompts(args, session.env(), setup.model.path, python),
      .inputs = std::move(inputs),
      .random = setup.inputs.load_inputs.empty() && !setup.inputs.script &&
                !args.has("--input-shapes") && !args.has("--val-range"),
      .count = options.iterations,
      .seed = options.seed,
  };
  const bool cut = setup.inputs.samples && (source.random || !source.prompts.empty());
  auto open = open_prompts(std::move(source), form);
  if (!cut) return open;
  return [open = std::move(open), samples = *setup.inputs.samples] {
    return feeds_in_range(open(), samples.first, samples.last);
  };
}

bool takes_cache(const ModelSource& model) {
  return form_with_caches(model).has_value();
}

std::shared_ptr<Decoding> decoding_of_generated_prompts(Session& session,
                                                        const ModelSource& model) {
  const ParsedArgs& args = session.args();
  if (gives_inputs(args) || args.has("--input-shapes") || args.has("--val-range")) return nullptr;
  auto form = form_with_caches(model);
  if (!form || form->step_tokens > 0) return nullptr;
  session.log().info(
      log_modules::kArgUtil,
      fmt::format("The model is a decoder ({} is a cache): generated prompts of {} tokens run with "
                  "an empty cache, and masks and positions that fit",
                  form->states.front().past, kUsualPrompt));
  return std::make_shared<Decoding>(std::move(*form), DecodeOptions{.steps = 0});
}

void decode_if_wanted(Session& session, const RunPlan& plan, RunnerFactory& factory, RunJob& job) {
  const ParsedArgs& args = session.args();
  auto options = resolve_decoding(args, session.env());
  if (!options) {
    if (plan.model.format == kOnnxFormat) warn_of_caches(session, plan.model.path);
    return;
  }
  const std::string_view option = args.has("--text") ? "--text" : "--decode";
  refuse_together(args, option, kContrary);
  if (args.has("--text")) refuse_together(args, option, kOtherTexts);
  if (plan.model.path.empty()) {
    throw Error(std::string(option) + " needs the ONNX model, to see its inputs and caches",
                "Give the model.");
  }
  if (args.has("--text") && !args.has("--compare") && !args.has("--noise-floor")) {
    job.options.metrics = {find_metric("tokens")};
    set_arguments("tokens:margin=auto", job.options.metric_options);
  }
  job.options.scores_text = args.has("--text");
  job.tokenizer =
      tokenizer_of(plan.model.path, session.env().path(args.text("--tokenizer").value_or("")));
  auto decoding = decoding_of(plan.model, std::move(*options), factory, session.log());
  job.make_feeds = prompts_for(session, plan, decoding->form(), std::move(job.make_feeds),
                               factory.tools().python);
  Logger quiet;
  force_by_loaded(plan, *decoding, quiet);
  job.make_feeds = saved_prompts(decoding, std::move(job.make_feeds));
  job.decoding = std::move(decoding);
}

}  // namespace polygraphy::cli
