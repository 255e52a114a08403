// Prompts of a language model among the arguments of a call.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/given_arguments.h"
#include "api/job.h"
#include "polygraphy/data/inputs/prompts.h"
#include "polygraphy/runtimes/decoding/decoding.h"

namespace native {

class GivenPrompts {
 public:
  // Of the options `prompts` (a path, a list of texts and lists of token ids, or None), `tokenizer`
  // and `decoder_names` (paths, or empty). Throws Error, FormatError, IoError.
  explicit GivenPrompts(const Keywords& keywords);

  // Windows of a text in place of prompts: of a file of text or token ids. Throws as above.
  void use_text(const std::string& path, int64_t window);

  bool given() const { return !prompts_.empty(); }
  // For `count` steps behind the prompt.
  polygraphy::DecodeOptions steps(int64_t count) const {
    return {.steps = count, .names = decoder_names_};
  }
  // The file of the tokenizer of a model in a file; it may be missing.
  std::string tokenizer(const std::string& model) const {
    return polygraphy::tokenizer_of(model, tokenizer_);
  }
  // Opens the prompts for the job: these, else those in the inputs of the call, else random ones.
  // `given` outlives the result. Throws Error.
  std::function<std::unique_ptr<polygraphy::FeedSource>()> opened(
      const GivenArguments& given, const polygraphy::Decoding& decoding, Job& job,
      polygraphy::UserPython& python) const;

 private:
  std::vector<polygraphy::Prompt> prompts_;
  std::string tokenizer_, decoder_names_;
  int64_t window_ = 0;  // tokens of each, if the only prompt is a text
};

}  // namespace native
