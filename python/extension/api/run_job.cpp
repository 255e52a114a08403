#include "api/run_job.h"

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

polygraphy::RunJob run_job(const GivenRun& given, const GivenDecoding& decoding,
                           polygraphy::CompareOptions options, JobRunnerFactory& factory,
                           Job& job) {
  options.cancel = job.cancel();
  polygraphy::RunJob run{.runners = factory.complete(given.runners.specs),
                         .model = given.source(),
                         .make_feeds = [&given, &job] { return given.feeds(job); },
                         .options = std::move(options),
                         .tokenizer = decoding.prompts.tokenizer(given.source().path),
                         .report = {}};
  if (!decoding.steps) return run;
  polygraphy::DecodeOptions how = decoding.prompts.steps(*decoding.steps);
  how.free_run = decoding.free_run;
  run.decoding = polygraphy::decoding_of(given.source(), std::move(how), factory, job.log());
  for (const polygraphy::TokenRows& tokens : decoding.tokens) run.decoding->force(tokens);
  run.make_feeds = polygraphy::saved_prompts(
      run.decoding, decoding.prompts.opened(given, *run.decoding, job, *factory.tools().python));
  return run;
}

}  // namespace native
