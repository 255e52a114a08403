// Every element type in and out, values as ml_dtypes has them.

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <sstream>

#include "base/arrays/dtype.h"
#include "base/text.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/payloads/payload.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/runtimes/contract/cast_goldens.h"
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {
namespace {

// The text form's spelling: float, double, int4, float8e5m2.
std::string text_name(DataType type) {
  return to_lower(onnx_name_of(type));
}

// The first opset in which Cast and Identity know the type.
std::string header(DataType type) {
  int opset = 19;
  switch (type) {
    case DataType::kUint4:
    case DataType::kInt4:
      opset = 21;
      break;
    case DataType::kFloat4E2M1:
      opset = 23;
      break;
    case DataType::kFloat8E8M0:
      opset = 24;
      break;
    case DataType::kUint2:
    case DataType::kInt2:
      opset = 25;
      break;
    case DataType::kFloat6E2M3:
    case DataType::kFloat6E3M2:
      opset = 28;
      break;
    default:
      break;
  }
  const int ir_version = opset == 28 ? 14 : opset >= 21 ? 13 : 9;
  return "<ir_version: " + std::to_string(ir_version) +
         ", opset_import: [\"\": " + std::to_string(opset) + "]> g ";
}

struct Pair {
  uint64_t from = 0;
  uint64_t to = 0;
  bool is_nan = false;  // instead of `to`
};

struct Goldens {
  std::map<DataType, std::vector<Pair>> to, from;
};

uint64_t hexadecimal(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

const Goldens& goldens() {
  static const Goldens all = [] {
    Goldens read;
    std::istringstream lines{std::string(cast_goldens())};
    std::string line;
    while (std::getline(lines, line)) {
      std::istringstream words(line);
      std::string direction, name, pair;
      words >> direction >> name;
      if (direction != "to" && direction != "from") continue;
      std::vector<Pair>& pairs = (direction == "to" ? read.to : read.from)[*parse_data_type(name)];
      while (words >> pair) {
        const size_t colon = pair.find(':');
        const std::string target = pair.substr(colon + 1);
        pairs.push_back({hexadecimal(pair.substr(0, colon)), hexadecimal(target), target == "nan"});
      }
    }
    return read;
  }();
  return all;
}

// One element per code, packed.
Array array_of_codes(DataType type, const std::vector<uint64_t>& codes) {
  Array array = Array::zeros(type, {static_cast<int64_t>(codes.size())});
  auto* bytes = reinterpret_cast<unsigned char*>(array.mutable_data());
  const auto width = static_cast<size_t>(bit_width(type));
  for (size_t i = 0; i < codes.size(); ++i) {
    for (size_t bit = 0; bit < width && bit < 64; ++bit) {
      const size_t at = i * width + bit;
      if (codes[i] >> bit & 1) bytes[at / 8] |= static_cast<unsigned char>(1u << at % 8);
    }
  }
  return array;
}

std::vector<uint64_t> codes_of(const std::vector<Pair>& pairs, uint64_t Pair::* side) {
  std::vector<uint64_t> codes;
  for (const Pair& pair : pairs) codes.push_back(pair.*side);
  return codes;
}

bool is_float32_nan(uint64_t bits) {
  return (bits & 0x7fffffff) > 0x7f800000;
}

// All codes of the type; of wide types, a sample.
Array sample(DataType type) {
  if (goldens().from.contains(type)) {
    return array_of_codes(type, codes_of(goldens().from.at(type), &Pair::from));
  }
  return array_of_codes(type, {0, 1, 0x3f800000, 0x1234567890abcdef});  // complex
}

void cast_to(Workbench& bench, DataType type) {
  const std::vector<Pair>& pairs = goldens().to.at(type);
  const size_t n = pairs.size();
  const ValueMap outputs =
      bench.run(header(type) + "(float[" + std::to_string(n) + "] x) => (" + text_name(type) + "[" +
                    std::to_string(n) +
                    "] y) { y = Cast <to = " + std::to_string(static_cast<int>(type)) + "> (x) }",
                {{"x", array_of_codes(DataType::kFloat32, codes_of(pairs, &Pair::from))}});
  const Array& y = tensor(outputs, "y");
  if (!bench.type_is("the type of y", y.dtype(), type)) return;
  if (!bench.count_is("y.size()", y.size(), static_cast<int64_t>(n))) return;
  for (size_t i = 0; i < n; ++i) {
    bench.bits_are(fmt::format("{} of float32 bits {:x}", name_of(type), pairs[i].from),
                   y.element_bits(static_cast<int64_t>(i)), pairs[i].to);
  }
}

void identity(Workbench& bench, DataType type) {
  const Array x = sample(type);
  const std::string of_type = text_name(type) + "[" + std::to_string(x.size()) + "]";
  const ValueMap outputs = bench.run(
      header(type) + "(" + of_type + " x) => (" + of_type + " y) { y = Identity (x) }", {{"x", x}});
  bench.same_values("y", value(outputs, "y"), x);
}

void expect_goldens(Workbench& bench, const Array& floats, const std::vector<Pair>& pairs,
                    DataType type) {
  if (!bench.type_is("the type of y", floats.dtype(), DataType::kFloat32)) return;
  if (!bench.count_is("floats.size()", floats.size(), static_cast<int64_t>(pairs.size()))) return;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const uint64_t bits = floats.element_bits(static_cast<int64_t>(i));
    const std::string what = fmt::format("{} code {:x} in float32", name_of(type), pairs[i].from);
    if (pairs[i].is_nan) {
      bench.holds(what + " is not a number", is_float32_nan(bits));
    } else {
      bench.bits_are(what, bits, pairs[i].to);
    }
  }
}

// Codes that are fed.
void cast_from(Workbench& bench, DataType type) {
  const std::vector<Pair>& pairs = goldens().from.at(type);
  const std::string n = std::to_string(pairs.size());
  const ValueMap outputs = bench.run(header(type) + "(" + text_name(type) + "[" + n +
                                         "] x) => (float[" + n + "] y) { y = Cast <to = 1> (x) }",
                                     {{"x", sample(type)}});
  expect_goldens(bench, tensor(outputs, "y"), pairs, type);
}

// Codes that come with the model.
void constant(Workbench& bench, DataType type) {
  const std::vector<Pair>& pairs = goldens().from.at(type);
  const std::string n = std::to_string(pairs.size());
  graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(header(type) + "(" + text_name(type) + "[" + n +
                                    "] x) => (float[" + n + "] y) { y = Cast <to = 1> (x) }");
  const graphsurgeon::TensorRef weights = model.graph->inputs()[0];
  weights->to_constant(graphsurgeon::owned_payload(sample(type)));
  model.graph->mutable_inputs().clear();
  model.graph->mutable_initializers().push_back(weights);
  const std::unique_ptr<Runner> runner =
      bench.runner({.path = bench.file_of_bytes(graphsurgeon::encode_model(model))});
  ActiveRunner active(*runner);
  bench.count_is("the number of inputs", active->input_metadata().size(), 0u);
  expect_goldens(bench, tensor(active.infer({}), "y"), pairs, type);
}

void metadata(Workbench& bench, DataType type) {
  const std::unique_ptr<BackendSession> session = bench.session(
      header(type) + "(" + text_name(type) + "[2, 3] x, float[4] f) => (float[2, 3] y, " +
      text_name(type) + "[4] z) { y = Cast <to = 1> (x) z = Cast <to = " +
      std::to_string(static_cast<int>(type)) + "> (f) }");
  if (!bench.count_is("the number of inputs", session->inputs().size(), 2u)) return;
  bench.type_is("the type of x", session->inputs()[0].info.dtype, type);
  bench.type_is("the type of z", session->outputs()[1].info.dtype, type);
}

std::vector<Case> case_list() {
  std::vector<Case> cases;
  const auto add = [&](const char* what, DataType type, void (*run)(Workbench&, DataType)) {
    cases.push_back({"types/" + std::string(what) + "_" + std::string(name_of(type)),
                     [run, type](Workbench& bench) { run(bench, type); }});
  };
  for (const DataType type : all_data_types()) {
    if (type == DataType::kString) continue;  // values_cases.cpp
    add("identity", type, identity);
    if (!goldens().to.contains(type)) continue;  // complex
    add("metadata", type, metadata);
    add("cast_to", type, cast_to);
    add("cast_from", type, cast_from);
    add("constant", type, constant);
  }
  return cases;
}

}  // namespace

extern constinit const CaseGroup case_group_types = {.cases = case_list};

}  // namespace polygraphy::contract
