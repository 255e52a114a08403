#include "api/given_prompts.h"

#include <utility>

#include "polygraphy/runtimes/decoding/prompt_source.h"

namespace native {

using polygraphy::FeedSource;
using polygraphy::Prompt;

GivenPrompts::GivenPrompts(const Keywords& keywords)
    : tokenizer_(keywords.text("tokenizer")), decoder_names_(keywords.text("decoder_names")) {
  PyObject* const prompts = keywords.get("prompts");
  if (prompts == Py_None) return;
  if (PyUnicode_Check(prompts)) {
    prompts_ = polygraphy::load_prompts(std::string(text_of(prompts)));
    return;
  }
  for_each(prompts, [&](PyObject* item) {
    Prompt& prompt = prompts_.emplace_back();
    if (PyUnicode_Check(item)) {
      prompt.text = text_of(item);
    } else {
      for_each(item, [&](PyObject* id) { prompt.ids.push_back(to_int64(id)); });
    }
  });
}

void GivenPrompts::use_text(const std::string& path, int64_t window) {
  prompts_ = {polygraphy::load_text(path)};
  window_ = window;
}

std::function<std::unique_ptr<FeedSource>()> GivenPrompts::opened(
    const GivenArguments& given, const polygraphy::Decoding& decoding, Job& job,
    polygraphy::UserPython& python) const {
  const polygraphy::DataLoaderOptions generated = given.inputs.generated(given.source());
  polygraphy::PromptSource source{
      .prompts = prompts_,
      .inputs = [&given, &job] { return given.feeds(job); },
      .random = !given.inputs.are_described(),
      .count = generated.iterations,
      .seed = generated.seed,
  };
  polygraphy::tokenize_for_model(source.prompts, given.source().path, tokenizer_, python);
  if (window_ > 0) source.prompts = polygraphy::windows_of(source.prompts.front(), window_);
  return polygraphy::open_prompts(std::move(source), decoding.form());
}

}  // namespace native
