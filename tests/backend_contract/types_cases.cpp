// Every element type in and out, values as ml_dtypes has them.
#include <gtest/gtest.h>

#include <charconv>
#include <map>
#include <sstream>

#include "base/arrays/dtype.h"
#include "base/text.h"
#include "contract.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/payloads/payload.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy::contract {
namespace {

// The text form's spelling: float, double, int4, float8e5m2.
std::string text_name(DataType type) {
  return to_lower(onnx_name_of(type));
}

// The first opset whose Cast and Identity know the type.
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
    std::istringstream lines(contents_of(PG_SOURCE_DIR "/tests/backend_contract/cast_goldens.txt"));
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

// All codes of the type, or a sample of those of wide types.
Array sample(DataType type) {
  if (goldens().from.contains(type)) {
    return array_of_codes(type, codes_of(goldens().from.at(type), &Pair::from));
  }
  return array_of_codes(type, {0, 1, 0x3f800000, 0x1234567890abcdef});  // complex
}

void cast_to(Bench& bench, DataType type) {
  const std::vector<Pair>& pairs = goldens().to.at(type);
  const size_t n = pairs.size();
  const ValueMap outputs =
      bench.run(header(type) + "(float[" + std::to_string(n) + "] x) => (" + text_name(type) + "[" +
                    std::to_string(n) +
                    "] y) { y = Cast <to = " + std::to_string(static_cast<int>(type)) + "> (x) }",
                {{"x", array_of_codes(DataType::kFloat32, codes_of(pairs, &Pair::from))}});
  const Array& y = outputs.find("y")->tensor();
  ASSERT_EQ(y.dtype(), type);
  ASSERT_EQ(y.size(), static_cast<int64_t>(n));
  for (size_t i = 0; i < n; ++i) {
    EXPECT_EQ(y.element_bits(static_cast<int64_t>(i)), pairs[i].to)
        << name_of(type) << " of float32 bits " << std::hex << pairs[i].from;
  }
}

void identity(Bench& bench, DataType type) {
  const Array x = sample(type);
  const std::string of_type = text_name(type) + "[" + std::to_string(x.size()) + "]";
  const ValueMap outputs = bench.run(
      header(type) + "(" + of_type + " x) => (" + of_type + " y) { y = Identity (x) }", {{"x", x}});
  EXPECT_TRUE(bitwise_equal(outputs.find("y")->tensor(), x))
      << describe(outputs.find("y")->tensor());
}

void expect_goldens(const Array& floats, const std::vector<Pair>& pairs, DataType type) {
  ASSERT_EQ(floats.dtype(), DataType::kFloat32);
  ASSERT_EQ(floats.size(), static_cast<int64_t>(pairs.size()));
  for (size_t i = 0; i < pairs.size(); ++i) {
    const uint64_t bits = floats.element_bits(static_cast<int64_t>(i));
    EXPECT_TRUE(pairs[i].is_nan ? is_float32_nan(bits) : bits == pairs[i].to)
        << name_of(type) << " code " << std::hex << pairs[i].from << " is float32 " << bits
        << ", not " << pairs[i].to;
  }
}

// Codes that are fed.
void cast_from(Bench& bench, DataType type) {
  const std::vector<Pair>& pairs = goldens().from.at(type);
  const std::string n = std::to_string(pairs.size());
  const ValueMap outputs = bench.run(header(type) + "(" + text_name(type) + "[" + n +
                                         "] x) => (float[" + n + "] y) { y = Cast <to = 1> (x) }",
                                     {{"x", sample(type)}});
  expect_goldens(outputs.find("y")->tensor(), pairs, type);
}

// Codes that come with the model.
void constant(Bench& bench, DataType type) {
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
  EXPECT_EQ(active->input_metadata().size(), 0u);
  expect_goldens(active.infer({}).find("y")->tensor(), pairs, type);
}

void metadata(Bench& bench, DataType type) {
  const std::unique_ptr<BackendSession> session = bench.session(
      header(type) + "(" + text_name(type) + "[2, 3] x, float[4] f) => (float[2, 3] y, " +
      text_name(type) + "[4] z) { y = Cast <to = 1> (x) z = Cast <to = " +
      std::to_string(static_cast<int>(type)) + "> (f) }");
  ASSERT_EQ(session->inputs().size(), 2u);
  EXPECT_EQ(session->inputs()[0].info.dtype, type);
  EXPECT_EQ(session->outputs()[1].info.dtype, type);
}

}  // namespace

std::vector<Case> types_cases() {
  std::vector<Case> cases;
  const auto add = [&](const char* what, DataType type, void (*run)(Bench&, DataType)) {
    cases.push_back({"types/" + std::string(what) + "_" + std::string(name_of(type)),
                     [run, type](Bench& bench) { run(bench, type); }});
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

}  // namespace polygraphy::contract
