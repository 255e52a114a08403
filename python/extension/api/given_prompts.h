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

  bool given() const { return !prompts_.empty(); }
  // For `count` steps behind the prompt.
  polygraphy::DecodeOptions steps(int64_t count) const {
    return {.steps = count, .names = decoder_names_};
  }
  // Opens the prompts for the job: these, else those in the inputs of the call, else random ones.
  // `given` outlives the result. Throws Error.
  std::function<std::unique_ptr<polygraphy::FeedSource>()> opened(
      const GivenArguments& given, const polygraphy::Decoding& decoding, Job& job,
      polygraphy::UserPython& python) const;

 private:
  std::vector<polygraphy::Prompt> prompts_;
  std::string tokenizer_, decoder_names_;
};

}  // namespace native
