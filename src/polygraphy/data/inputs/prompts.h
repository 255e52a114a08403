// Prompts of language models: texts, or token ids.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {

// Prompts are texts, and there is no tokenizer for them.
inline constexpr ErrorCode kNoTokenizer{"no-tokenizer"};

struct Prompt {
  std::string text = {};
  std::vector<int64_t> ids = {};  // empty: not known yet
};

// A JSON list of texts and lists of token ids, or one list of token ids, if the text begins with
// '['; else lines of text, of which empty ones count for nothing. A text that begins with '{', or
// is one JSON value, is refused: it is not a prompt by intention. `source` names it in messages.
// Throws FormatError, and Error if there is no prompt.
std::vector<Prompt> parse_prompts(std::string_view text, std::string source);
// Of a file of that form. Throws IoError as well.
std::vector<Prompt> load_prompts(const std::string& path);

// All of the file as one prompt: a text, or one JSON list of token ids. Throws IoError,
// FormatError, and Error if it is empty.
Prompt load_text(const std::string& path);
// Parts of as many token ids, one behind the other, without a shorter rest; all of the text where
// it is shorter. Throws Error for a text of one token, and for a window of one.
std::vector<Prompt> windows_of(const Prompt& text, int64_t window);

// Token ids of all texts, by the package tokenizers of the user's Python. `tokenizer`: a file
// tokenizer.json. Special tokens are added as that file says. Throws Error: the package or the file
// is missing, a text has no tokens.
void tokenize(std::vector<Prompt>& prompts, const std::string& tokenizer, UserPython& python);
// The text of each token, in their order. Throws as tokenize().
std::vector<std::string> token_texts(const std::vector<int64_t>& ids, const std::string& tokenizer,
                                     UserPython& python);
// `given`, or else tokenizer.json in the model's folder. The file may be missing.
std::string tokenizer_of(const std::string& model, const std::string& given);
// The same for the model in a file. Without `tokenizer`: by the file tokenizer.json in its folder.
// Prompts without texts need no tokenizer. Throws Error (kNoTokenizer), too.
void tokenize_for_model(std::vector<Prompt>& prompts, const std::string& model,
                        const std::string& tokenizer, UserPython& python);

// One feed for each prompt: this input, int64[1, tokens], or int32 if the model wants that.
std::unique_ptr<FeedSource> prompt_feeds(std::vector<Prompt> prompts, std::string input);
// The prompts, each with the values of the inputs `names` in the next of `others`, or in its last
// one.
std::unique_ptr<FeedSource> prompts_beside(std::unique_ptr<FeedSource> prompts,
                                           std::unique_ptr<FeedSource> others,
                                           std::vector<std::string> names);

}  // namespace polygraphy
