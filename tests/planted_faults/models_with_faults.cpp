#include "models_with_faults.h"

namespace polygraphy {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

// Of one input, not negative where that is not.
const char* ordinary(int i) {
  static const char* const kOps[] = {"Relu", "Abs", "Identity", "Sqrt", "Floor", "Tanh"};
  return kOps[i % 6];
}

}  // namespace

std::string model_with(int nodes, const Planted& planted) {
  std::string text, lanes[2] = {"x", "x"};
  for (int i = 0; i < nodes; ++i) {
    std::string& lane = lanes[i % 2];
    const std::string made = i + 1 == nodes ? "y" : "t" + std::to_string(i);
    const auto found = planted.nodes.find(i);
    if (i + 1 == nodes && found == planted.nodes.end()) {
      text += " y = Add(" + lanes[0] + ", " + lanes[1] + ")";
    } else if (found != planted.nodes.end()) {
      text += " " + replaced(replaced(found->second, "{y}", made), "{x}", lane);
    } else if (i % 8 == 5) {
      text += " " + made + " = Mean(" + lanes[0] + ", " + lanes[1] + ")";
    } else {
      text += " " + made + " = " + ordinary(i) + "(" + lane + ")";
    }
    lane = made;
  }
  return R"(<ir_version: 8, opset_import: ["": 17, "local": 1]>
    g (float[2] x, bool c, int64 n, float[3, 2] xs) => (float[2] y)
    <float[2] three = {3, 3}, bool yes = {1}> {)" +
         text + " }\n" + planted.functions;
}

std::string chain_with(int length, int position, const std::string& op, const std::string& prefix) {
  std::string text, last = "{x}";
  for (int i = 0; i < length; ++i) {
    const std::string made = i + 1 == length ? "{y}" : prefix + std::to_string(i);
    text += " " + made + " = " + (i == position ? op : ordinary(i)) + "(" + last + ")";
    last = made;
  }
  return text;
}

std::string with_input(const std::string& nodes, const std::string& x) {
  return replaced(nodes, "{x}", x);
}

std::string with_output(const std::string& nodes, const std::string& y) {
  return replaced(nodes, "{y}", y);
}

std::string in_if(const std::string& inside, bool taken) {
  const std::string with =
      "= w () => (float[2] inside) {" + replaced(inside, "{y}", "inside") + " }";
  const std::string other = "= o () => (float[2] other) { other = Neg({x}) }";
  return "{y} = If(yes) <then_branch " + (taken ? with : other) + ", else_branch " +
         (taken ? other : with) + ">";
}

std::string in_loop(const std::string& inside) {
  return "{y} = Loop(n, yes, {x}) <body = b (int64 i, bool go, float[2] v) => (bool go_on, "
         "float[2] w) "
         "{ go_on = Identity(go) " +
         replaced(replaced(inside, "{x}", "v"), "{y}", "w") + " }>";
}

std::string in_scan(const std::string& inside) {
  return "{y} = Scan <num_scan_inputs = 1, body = b (float[2] v, float[2] s) => (float[2] w) { u = "
         "Add(v, s) " +
         replaced(replaced(inside, "{x}", "u"), "{y}", "w") + " }> ({x}, xs)";
}

std::string function_around(const std::string& inside, const std::string& name) {
  return "<domain: \"local\", opset_import: [\"\": 17, \"local\": 1]> " + name + " (a) => (r) {" +
         replaced(replaced(inside, "{x}", "a"), "{y}", "r") + " }\n";
}

}  // namespace polygraphy
