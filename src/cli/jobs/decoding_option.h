// `run --decode`.
#pragma once

#include <functional>
#include <memory>

#include "cli/jobs/command_setup.h"
#include "cli/jobs/run_plan.h"
#include "cli/session/session.h"
#include "polygraphy/comparison/run_job/run_job.h"
#include "polygraphy/models/decoder/decoder_form.h"
#include "polygraphy/runtimes/decoding/decoding.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy::cli {

// Makes the runners of the job decode if --decode was given, prompts included. Tokens of loaded
// outputs force the runners. Throws Error: options that exclude each other, a model that is not a
// decoder.
void decode_if_wanted(Session& session, const RunPlan& plan, RunnerFactory& factory, RunJob& job);

// A source of prompts for a decoder: those that were given, the inputs that were, or else random
// tokens over its vocabulary.
std::function<std::unique_ptr<FeedSource>()> prompts_for(
    Session& session, const CommandSetup& setup, const DecoderForm& form,
    std::function<std::unique_ptr<FeedSource>()> inputs, const std::shared_ptr<UserPython>& python);

// Whether the model is a decoder with caches: commands give it prompts where no inputs are given.
bool takes_cache(const ModelSource& model);

// The decoding of one prefill for a command without --decode, where generated values of caches,
// masks and positions would not fit each other: the model has a cache, and neither inputs nor
// their shapes were given. null: otherwise.
std::shared_ptr<Decoding> decoding_of_generated_prompts(Session& session, const ModelSource& model);

}  // namespace polygraphy::cli
