#include "polygraphy/diagnosis/debug_loop/failure_signature.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace polygraphy {
namespace {

// "Node (if_3) Op (If) [TypeInferenceError] Graph attribute inferencing failed: Node (m) Op …"
void drop_inference_around(std::string& line) {
  constexpr std::string_view kEnd = "Graph attribute inferencing failed: ";
  const size_t end = line.rfind(kEnd);
  if (end == std::string::npos) return;
  const size_t begin = line.find("Node (");
  if (begin < end) line.erase(begin, end + kEnd.size() - begin);
}

// "Non-zero status code returned while running If node. Name:'i' Status Message: Non-zero status …"
void drop_runs_around(std::string& line) {
  constexpr std::string_view kBegin = "Non-zero status code returned while running ";
  const size_t first = line.find(kBegin), last = line.rfind(kBegin);
  if (first != last) line.erase(first, last - first);
}

// "In Node, ("n", If, "", -1) : ("c": tensor(bool),) -> ("y",) , Error No Op registered for Foo"
void drop_node_in_front(std::string& line) {
  constexpr std::string_view kBegin = "In Node, (", kEnd = ", Error ";
  const size_t begin = line.find(kBegin);
  const size_t end = begin == std::string::npos ? begin : line.find(kEnd, begin);
  if (end == std::string::npos) return;
  const size_t from = begin + std::string_view("In Node").size();
  line.erase(from, end - from);
}

// "type inference failed, inferred types: index=0,tensor(uint8),…": the order of these types
// varies.
void drop_list_of_types(std::string& line) {
  const size_t begin = line.find(", inferred types: ");
  if (begin != std::string::npos) line.erase(begin);
}

// "Node (name) Op (Add)", "in node (name)."
void drop_names(std::string& line, std::string_view before) {
  for (size_t at = 0; (at = line.find(before, at)) != std::string::npos;) {
    at += before.size();
    const size_t end = line.find(')', at);
    if (end == std::string::npos) return;
    line.erase(at, end - at);
  }
}

// ONNX Runtime puts the words of each node that holds a graph around those of the node inside: the
// same failure outside of an If has none of them. Names and signatures of nodes go, too.
std::string error_core(std::string_view line) {
  std::string core(line);
  drop_inference_around(core);
  drop_runs_around(core);
  drop_node_in_front(core);
  drop_list_of_types(core);
  drop_names(core, "Node (");
  drop_names(core, "node (");
  return core;
}

constexpr size_t kLongest = 160;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Python's last line of a traceback says what happened; of everything else, the first line that
// sounds like an error.
bool names_error(std::string_view line) {
  // Lines of Polygraphy's log below warnings: "[I] Absolute error: …".
  for (const std::string_view mild : {"[I]", "[S]", "[V]", "[X]", "[U]"}) {
    if (strip(line).starts_with(mild)) return false;
  }
  static constexpr std::array<std::string_view, 10> kWords = {
      "error",  "fail",    "exception", "abort", "mismatch",
      "assert", "invalid", "not match", "fatal", "[e]"};
  const std::string low = to_lower(line);
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return low.find(word) != std::string::npos; });
}

std::string_view error_line(std::string_view text) {
  std::string_view traceback_end;
  bool in_traceback = false;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.starts_with("Traceback (most recent call last)")) {
      in_traceback = true;
    } else if (in_traceback) {
      if (line.empty() || line.front() == ' ') continue;
      traceback_end = line;
      break;
    } else if (names_error(line)) {
      return line;
    }
  }
  return traceback_end;
}

// Words stay; each quotation, number and path becomes one sign.
std::string normalised(std::string_view line) {
  std::string result;
  for (size_t i = 0; i < line.size() && result.size() < kLongest;) {
    const char c = line[i];
    if (c == '\x1b') {  // a colour: ESC [ ... m
      const size_t end = line.find('m', i);
      i = end == std::string_view::npos ? line.size() : end + 1;
    } else if (c == '\'' || c == '"' || c == '`') {
      const size_t end = line.find(c, i + 1);
      if (end == std::string_view::npos) {
        result += line[i++];
      } else {
        result += "_";
        i = end + 1;
      }
    } else if (is_word(c) || c == '/') {
      size_t end = i;
      bool digits = false, path = false;
      while (end < line.size() &&
             (is_word(line[end]) || line[end] == '/' || line[end] == '.' || line[end] == '-')) {
        digits |= std::isdigit(static_cast<unsigned char>(line[end])) != 0;
        path |= line[end] == '/';
        ++end;
      }
      result += digits || path ? std::string_view("#") : line.substr(i, end - i);
      i = end;
    } else {
      if (c != ' ' || !result.ends_with(' ')) result += c;
      ++i;
    }
  }
  return result;
}

}  // namespace

std::string failure_signature(const ExitStatus& status, std::string_view out,
                              std::string_view err) {
  std::string_view line = error_line(err);
  if (line.empty()) line = error_line(out);
  const std::string reason = normalised(error_core(line));
  return to_text(status) + (reason.empty() ? "" : ": " + reason);
}

std::string error_signature(std::string_view message) {
  return normalised(error_core(message.substr(0, message.find('\n'))));
}

}  // namespace polygraphy
