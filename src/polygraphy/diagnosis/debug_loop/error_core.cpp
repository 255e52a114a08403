#include "polygraphy/diagnosis/debug_loop/error_core.h"

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

}  // namespace

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

}  // namespace polygraphy
