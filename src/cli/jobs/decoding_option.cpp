#include "cli/jobs/decoding_option.h"

#include <fmt/format.h>

#include <string_view>

#include "base/error.h"
#include "cli/args/decoding.h"
#include "polygraphy/comparison/run/result_stream.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace polygraphy::cli {
namespace {

// They need the outputs of one inference, or all of them at once.
constexpr std::string_view kContrary[] = {"--mem-limit", "--benchmark", "--on", "--save-task",
                                          "--save-intermediate-outputs"};

void force_by_loaded(const RunPlan& plan, Decoding& decoding, Logger& log) {
  if (plan.options.load_outputs.empty() || decoding.options().free_run) return;
  const auto results =
      loaded_results(plan.options.load_outputs.front(), log, true, plan.options.torch);
  while (const auto next = results->next()) {
    for (const IterationResult& result : *next) {
      for (size_t i = 0; i < result.outputs.size(); ++i) {
        if (result.outputs.at_index(i).first == kTokensOutput)
          decoding.add(token_rows(result.output(i)));
      }
    }
  }
}

}  // namespace

void decode_if_wanted(Session& session, const RunPlan& plan, RunnerFactory& factory, RunJob& job) {
  const ParsedArgs& args = session.args();
  auto options = resolve_decoding(args, session.env());
  if (!options) return;
  for (const std::string_view option : kContrary) {
    if (args.syntax().find(option) && args.has(option)) {
      throw Error(fmt::format("--decode and {} exclude each other", option),
                  "Leave one of them out.");
    }
  }
  if (plan.model.path.empty())
    throw Error("--decode needs the ONNX model, to see its inputs and caches", "Give the model.");
  auto prompts = resolve_prompts(args, session.env(), plan.model.path, factory.tools().python);
  auto decoding = decoding_of(factory.onnx(plan.source), std::move(*options), session.log());
  if (!prompts.empty()) {
    job.make_feeds = [prompts = std::move(prompts), input = decoding->form().tokens] {
      return prompt_feeds(prompts, input);
    };
  }
  Logger quiet;
  force_by_loaded(plan, *decoding, quiet);
  job.decoding = std::move(decoding);
}

}  // namespace polygraphy::cli
