#include "polygraphy/lint/prune_message.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cassert>
#include <utility>
#include <vector>

namespace polygraphy {
namespace {

void remove_all(std::string& text, std::string_view what) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.erase(at, what.size());
  }
}

// "[ONNXRuntimeError] : 1 : FAIL : message"; colons with spaces around them inside of the message
// go as well.
void prune_status(std::string& text) {
  constexpr std::string_view kPrefix = "[ONNXRuntimeError] : ", kColon = " : ";
  if (!text.starts_with(kPrefix) || text.find('\n') < kPrefix.size()) return;
  std::vector<std::string_view> parts;
  const std::string_view whole = text;
  size_t begin = 0;
  for (size_t at; (at = whole.find(kColon, begin)) != std::string_view::npos;
       begin = at + kColon.size()) {
    parts.push_back(whole.substr(begin, at - begin));
  }
  parts.push_back(whole.substr(begin));
  if (parts.size() < 4) {
    text.erase(0, kPrefix.size());
    return;
  }
  std::string message;
  for (size_t i = 3; i < parts.size(); ++i) message += parts[i];
  for (char& c : message) {
    if (c == '"') c = '`';
  }
  for (const std::string_view phrase :
       {"This is an invalid model. ", "Error: ", "Failed to load model with error: ",
        "Exception caught: ", "Exception during loading: ", "\n"}) {
    remove_all(message, phrase);
  }
  text = message;
}

PCRE2_SPTR bytes_of(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

// Of bytes, whatever their encoding.
class Pattern {
 public:
  explicit Pattern(std::string_view text, std::string_view replacement = "")
      : replacement_(replacement) {
    int reason = 0;
    PCRE2_SIZE place = 0;
    code_ = pcre2_compile(bytes_of(text), text.size(), 0, &reason, &place, nullptr);
    assert(code_ && "the patterns below are regular expressions");
  }

  bool begins(const std::string& text) const {
    pcre2_match_data* const match = pcre2_match_data_create_from_pattern(code_, nullptr);
    const int result =
        pcre2_match(code_, bytes_of(text), text.size(), 0, PCRE2_ANCHORED, match, nullptr);
    pcre2_match_data_free(match);
    return result >= 0;
  }

  // Every match. A text that is too hard to search stays.
  void replace_in(std::string& text) const {
    std::string result(2 * text.size() + 1, '\0');  // no replacement is longer than its match
    PCRE2_SIZE size = result.size();
    const int count =
        pcre2_substitute(code_, bytes_of(text), text.size(), 0, PCRE2_SUBSTITUTE_GLOBAL, nullptr,
                         nullptr, bytes_of(replacement_), replacement_.size(),
                         reinterpret_cast<PCRE2_UCHAR*>(result.data()), &size);
    if (count <= 0) return;
    result.resize(size);
    text = std::move(result);
  }

 private:
  pcre2_code* code_ = nullptr;  // for as long as the process lives
  std::string_view replacement_;
};

}  // namespace

std::string prune_message(std::string_view message) {
  static const auto& patterns = *new std::vector<const Pattern*>{
      new Pattern(R"(\x1b(?:\[(?:\d+;){0,2}\d+m)(.*)\x1b\[m)", "$1"),
      new Pattern(R"(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d+ \[.*?\] )"),
      new Pattern(R"(Node \(.*\) Op \(.*\) \[ShapeInferenceError\])"),
      new Pattern(R"(.*/.*\.cc:\d+ onnxruntime::.*\(.*\))"),
      new Pattern(R"(In Node, .*, Error )"),
      new Pattern(R"(.*Status Message: )"),
  };
  std::string text(message);
  prune_status(text);
  for (const Pattern* pattern : patterns) {
    if (pattern->begins(text)) pattern->replace_in(text);
  }
  remove_all(text, "\n");
  return text;
}

}  // namespace polygraphy
