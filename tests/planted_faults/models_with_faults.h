// Correct models with planted faults.
#pragma once

#include <map>
#include <string>

namespace polygraphy {

// A node that replaces ordinary nodes at some positions. `node` makes {y} of {x}, both float[2]:
// "{y} = Sin({x})". Functions go behind the graph.
struct Planted {
  std::map<int, std::string> nodes = {};
  std::string functions = {};
};

// A graph of `nodes` nodes in two lanes that meet now and then. All values are finite and, unless
// something planted changes that, not negative. Text form, ONNX opset 17.
std::string model_with(int nodes, const Planted& planted);

// Nodes one after another, from {x} to {y}; names begin with `prefix`. `op` stands at `position`.
std::string chain_with(int length, int position, const std::string& op, const std::string& prefix);

// Nodes as above with another tensor as {x}, or as {y}.
std::string with_input(const std::string& nodes, const std::string& x);
std::string with_output(const std::string& nodes, const std::string& y);

std::string in_if(const std::string& inside, bool taken);
std::string in_loop(const std::string& inside);
std::string in_scan(const std::string& inside);
// A function of that name around it.
std::string function_around(const std::string& inside, const std::string& name);

}  // namespace polygraphy
