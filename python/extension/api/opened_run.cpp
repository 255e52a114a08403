#include "api/opened_run.h"

#include <utility>

#include "api/array_object.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace native {

GivenDecoding::GivenDecoding(const Keywords& keywords)
    : steps(keywords.optional_integer("decode")),
      free_run(keywords.flag("free_run")),
      prompts(keywords) {
  for_each(keywords.get("tokens"),
           [&](PyObject* array) { tokens.push_back(polygraphy::token_rows(array_of(array))); });
  const std::string text(keywords.text("text"));
  if (!text.empty()) prompts.use_text(text, keywords.integer("window"));
}

namespace {

// A way to decode, shared by all runners, and its prompts.
std::pair<std::shared_ptr<polygraphy::Decoding>, MakeFeeds> shared_decoding(
    const GivenRun& given, const GivenDecoding& decoding, JobRunnerFactory& factory, Job& job) {
  polygraphy::DecodeOptions options = decoding.prompts.steps(*decoding.steps);
  options.free_run = decoding.free_run;
  auto shared =
      polygraphy::decoding_of(factory.onnx(given.source()), std::move(options), job.log());
  for (const polygraphy::TokenRows& tokens : decoding.tokens) shared->force(tokens);
  const MakeFeeds prompts = decoding.prompts.opened(given, *shared, job, *factory.tools().python);
  return {shared, polygraphy::saved_prompts(shared, prompts)};
}

// All tokens that were decoded, in one inference.
ModelFeeds model_feeds(std::shared_ptr<polygraphy::Decoding> decoding, MakeFeeds prompts) {
  return {[=] { return polygraphy::decoded_feeds(decoding, prompts()); }, decoding->caches()};
}

}  // namespace

OpenedRun opened_run(const GivenRun& given, const GivenDecoding& decoding,
                     JobRunnerFactory& factory, Job& job) {
  auto specs = factory.complete(given.runners.specs);
  polygraphy::Runners runners = factory.make_all(specs, given.source(), job.log());
  if (!decoding.steps) {
    const MakeFeeds feeds = [&] { return given.feeds(job); };
    return {std::move(specs), std::move(runners), feeds(), {feeds}};
  }
  auto [decoder, prompts] = shared_decoding(given, decoding, factory, job);
  return {std::move(specs), polygraphy::decoding_runners(runners, decoder), prompts(),
          model_feeds(decoder, prompts)};
}

ModelFeeds feeds_of_results(const GivenRun& given, const GivenDecoding& decoding,
                            JobRunnerFactory& factory, Job& job) {
  if (!decoding.steps) return {[&] { return given.feeds(job); }};
  auto [decoder, prompts] = shared_decoding(given, decoding, factory, job);
  return model_feeds(decoder, prompts);
}

}  // namespace native
