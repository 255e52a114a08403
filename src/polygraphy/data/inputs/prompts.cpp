#include "polygraphy/data/inputs/prompts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "base/arrays/convert.h"
#include "base/os/file_text.h"
#include "base/text.h"
#include "formats/json_reader.h"
#include "polygraphy/data/inputs/wrapped_feeds.h"

namespace polygraphy {
namespace {

using Type = JsonReader::Type;

constexpr const char* kForms =
    "Give lines of text, or a JSON list of texts and lists of token ids: [\"a text\", [1, 2, 3]]. "
    "Texts that begin with [ or { stand in such a list.";
constexpr size_t kMostTokens = size_t{1} << 24;

int64_t read_id(JsonReader& json) {
  const size_t at = json.offset();
  const int64_t id = json.read_integer();
  if (id < 0) json.fail_at(at, "token ids are not negative.");
  return id;
}

Prompt read_ids(JsonReader& json) {
  Prompt prompt;
  json.enter_array();
  while (json.next_element()) {
    if (prompt.ids.size() == kMostTokens) json.fail("a prompt has too many tokens.");
    prompt.ids.push_back(read_id(json));
  }
  if (prompt.ids.empty()) json.fail("a prompt has no tokens.");
  return prompt;
}

std::vector<Prompt> read_list(JsonReader& json) {
  std::vector<Prompt> prompts;
  json.enter_array();
  while (json.next_element()) {
    switch (json.peek()) {
      case Type::kString:
        prompts.push_back({.text = json.read_string()});
        break;
      case Type::kArray:
        prompts.push_back(read_ids(json));
        break;
      case Type::kNumber:  // the whole list is one prompt
        if (prompts.empty()) prompts.emplace_back();
        if (prompts.size() > 1 || !prompts.front().text.empty())
          json.fail("a number stands between prompts.");
        prompts.front().ids.push_back(read_id(json));
        break;
      default:
        json.fail("a prompt is a text or a list of token ids.");
    }
  }
  json.finish();
  return prompts;
}

std::vector<Prompt> lines_of(std::string_view text) {
  std::vector<Prompt> prompts;
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) prompts.push_back({.text = std::string(line)});
  }
  return prompts;
}

// All of the text is a number, a string in quotes, or the like.
bool is_one_value(std::string_view text) {
  try {
    JsonReader json(text, "");
    json.skip_value();
    json.finish();
    return true;
  } catch (const FormatError&) {
    return false;
  }
}

class PromptFeeds : public FeedSource {
 public:
  PromptFeeds(std::vector<Prompt> prompts, std::string input)
      : prompts_(std::move(prompts)), input_(std::move(input)) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    if (next_ == prompts_.size()) return std::nullopt;
    const std::vector<int64_t>& ids = prompts_[next_++].ids;
    const auto length = static_cast<int64_t>(ids.size());
    const TensorInfo* info = inputs.find(input_);
    const bool narrow = info && info->dtype == DataType::kInt32;
    Array array = Array::of<int64_t>({1, length}, std::span(ids));
    ValueMap feed;
    feed.set(input_, narrow ? convert(array, DataType::kInt32) : array);
    return feed;
  }
  std::optional<int64_t> total() const override { return static_cast<int64_t>(prompts_.size()); }
  std::string place() const override { return fmt::format("prompt {}", next_); }

 private:
  const std::vector<Prompt> prompts_;
  const std::string input_;
  size_t next_ = 0;
};

class PromptsBeside : public WrappedFeeds {
 public:
  PromptsBeside(std::unique_ptr<FeedSource> prompts, std::unique_ptr<FeedSource> others,
                std::vector<std::string> names)
      : WrappedFeeds(std::move(prompts)), others_(std::move(others)), names_(std::move(names)) {}

  std::optional<ValueMap> next(const Metadata& inputs) override {
    auto feed = WrappedFeeds::next(inputs);
    if (!feed) return feed;
    if (auto other = others_->next(inputs)) last_ = std::move(*other);
    for (const std::string& name : names_) {
      if (const Value* value = last_.find(name)) feed->set(name, *value);
    }
    return feed;
  }

 private:
  const std::unique_ptr<FeedSource> others_;
  const std::vector<std::string> names_;
  ValueMap last_;
};

// A Python without numpy cannot run scripts at all: prompts need another package, too.
PythonMessage tokens_of(PythonMessage request, UserPython& python) {
  try {
    return python.call("tokenize", std::move(request), "Tokenizing prompts");
  } catch (const Error& error) {
    if (error.code() != kNoNumpy) throw;
    throw Error("Texts as prompts need the packages tokenizers and numpy of your Python: " +
                    std::string(error.what()),
                error.hint() + " Prompts as token ids need no Python.");
  }
}

}  // namespace

std::vector<Prompt> parse_prompts(std::string_view text, std::string source) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  const char begin = first == std::string_view::npos ? '\0' : text[first];
  std::vector<Prompt> prompts;
  if (begin == '[') {
    try {
      JsonReader json(text, source);
      prompts = read_list(json);
    } catch (const FormatError& error) {
      throw FormatError(error.what(), kForms);
    }
  } else if (begin == '{' || is_one_value(text)) {
    throw Error(source + (begin == '{' ? " begins as a JSON object" : " is one JSON value") +
                    ", not a list of prompts",
                kForms);
  } else {
    prompts = lines_of(text);
  }
  if (prompts.empty()) throw Error(source + " has no prompt", kForms);
  return prompts;
}

std::vector<Prompt> load_prompts(const std::string& path) {
  const auto file = MappedFile::open(path);
  return parse_prompts(text_of(*file), path);
}

Prompt load_text(const std::string& path) {
  const auto file = MappedFile::open(path);
  const std::string_view text = text_of(*file);
  if (text.empty()) throw Error(path + " is empty", "Give a file with a text.");
  const size_t first = text.find_first_not_of(" \t\r\n[");
  const bool ids =
      text.starts_with('[') && first != text.npos && text[first] >= '0' && text[first] <= '9';
  return ids ? parse_prompts(text, path).front() : Prompt{.text = std::string(text)};
}

std::vector<Prompt> windows_of(const Prompt& text, int64_t window) {
  if (window < 2)
    throw Error(fmt::format("A window of {} tokens has none to predict", window),
                "Give 2 or more.");
  const auto length = static_cast<int64_t>(text.ids.size());
  if (length < 2)
    throw Error(fmt::format("The text has {} token: none to predict", length),
                "Give a longer one.");
  std::vector<Prompt> windows;
  window = std::min(window, length);
  for (int64_t at = 0; at + window <= length; at += window)
    windows.push_back({.ids = {text.ids.begin() + at, text.ids.begin() + at + window}});
  return windows;
}

void tokenize(std::vector<Prompt>& prompts, const std::string& tokenizer, UserPython& python) {
  for (Prompt& prompt : prompts) {
    if (!prompt.ids.empty()) continue;
    PythonMessage request;
    request.header.set("tokenizer", tokenizer);
    request.header.set("text", prompt.text);
    const PythonMessage reply = tokens_of(std::move(request), python);
    const Array* ids = reply.arrays.find("ids");
    if (!ids || ids->dtype() != DataType::kInt64 || ids->size() == 0)
      throw Error(fmt::format("The tokenizer {} makes no tokens of '{}'", tokenizer, prompt.text));
    const Array whole = ids->contiguous_aligned();
    prompt.ids.assign(whole.as<int64_t>().begin(), whole.as<int64_t>().end());
  }
}

std::vector<std::string> token_texts(const std::vector<int64_t>& ids, const std::string& tokenizer,
                                     UserPython& python) {
  PythonMessage request;
  request.header.set("tokenizer", tokenizer);
  request.header.set("ids", fmt::format("{}", fmt::join(ids, " ")));
  const PythonMessage reply = python.call("token_texts", std::move(request), "Naming tokens");
  std::vector<std::string> texts;
  for (const JsonValue& text : reply.header["texts"].list()) texts.push_back(text.text());
  return texts;
}

std::string tokenizer_of(const std::string& model, const std::string& given) {
  return given.empty() ? (std::filesystem::path(model).parent_path() / "tokenizer.json").string()
                       : given;
}

void tokenize_for_model(std::vector<Prompt>& prompts, const std::string& model,
                        const std::string& tokenizer, UserPython& python) {
  const bool texts =
      std::ranges::any_of(prompts, [](const Prompt& prompt) { return prompt.ids.empty(); });
  if (!texts) return;
  const std::string file = tokenizer_of(model, tokenizer);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    throw Error(kNoTokenizer, "There is no tokenizer " + file + " for the prompts",
                "Name the file, or give prompts as token ids.");
  }
  tokenize(prompts, file, python);
}

std::unique_ptr<FeedSource> prompt_feeds(std::vector<Prompt> prompts, std::string input) {
  return std::make_unique<PromptFeeds>(std::move(prompts), std::move(input));
}

std::unique_ptr<FeedSource> prompts_beside(std::unique_ptr<FeedSource> prompts,
                                           std::unique_ptr<FeedSource> others,
                                           std::vector<std::string> names) {
  return std::make_unique<PromptsBeside>(std::move(prompts), std::move(others), std::move(names));
}

}  // namespace polygraphy
