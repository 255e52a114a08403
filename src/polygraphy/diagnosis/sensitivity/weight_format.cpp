#include "polygraphy/diagnosis/sensitivity/weight_format.h"

#include <charconv>

namespace polygraphy {
namespace {

struct NamedFormat {
  std::string_view name;
  DataType type;
  int64_t block = 0;
  bool activations = false;
};

constexpr NamedFormat kFormats[] = {
    {"int8", DataType::kInt8, 0, true}, {"int4", DataType::kInt4, 32},
    {"fp8", DataType::kFloat8E4M3FN},   {"fp4", DataType::kFloat4E2M1, 16},
    {"bf16", DataType::kBfloat16},      {"fp16", DataType::kFloat16},
};
constexpr int64_t kLargestBlock = int64_t{1} << 20;
constexpr std::string_view kHint =
    "Formats are int8, int4, fp8, fp4, bf16 and fp16. Behind a colon, separated by commas: "
    "block=N, "
    "per-tensor, asymmetric (int8 and int4), weights-only (int8).";

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  throw Error(kBadWeightFormat, "'" + std::string(text) + "' is not a format of weights: " + why,
              std::string(kHint));
}

int64_t block_of(std::string_view text, std::string_view digits) {
  int64_t block = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), block);
  if (failure != std::errc() || end != digits.data() + digits.size() || block < 2 ||
      block > kLargestBlock) {
    refuse(text, "a block has 2 to " + std::to_string(kLargestBlock) + " values");
  }
  return block;
}

}  // namespace

WeightFormat parse_weight_format(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const NamedFormat* known = nullptr;
  for (const NamedFormat& format : kFormats) {
    if (format.name == name) known = &format;
  }
  if (!known) refuse(text, "no format has the name '" + std::string(name) + "'");
  WeightFormat format{.name = std::string(name),
                      .type = known->type,
                      .block = known->block,
                      .activations = known->activations};
  bool blocks = false;
  std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  while (!rest.empty() || (colon != std::string_view::npos && colon + 1 == text.size())) {
    const size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    const bool integer = name == "int8" || name == "int4";
    if (word.starts_with("block=") && !format.casts()) {
      format.block = block_of(text, word.substr(6));
      blocks = true;
    } else if (word == "per-tensor" && !format.casts()) {
      format.per_tensor = true;
      format.block = 0;
    } else if (word == "asymmetric" && integer) {
      format.asymmetric = true;
      format.type = name == "int8" ? DataType::kUint8 : DataType::kUint4;
    } else if (word == "weights-only" && name == "int8") {
      format.activations = false;
    } else {
      refuse(text, "'" + std::string(word) + "' does not apply to " + std::string(name));
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
    if (rest.empty()) refuse(text, "it ends in a comma");
  }
  if (blocks && format.per_tensor) refuse(text, "a scale is of a block or of the whole weight");
  return format;
}

std::string WeightFormat::text() const {
  std::string words;
  const auto add = [&](const std::string& word) { words += (words.empty() ? ":" : ",") + word; };
  if (block > 0) add("block=" + std::to_string(block));
  if (per_tensor) add("per-tensor");
  if (asymmetric) add("asymmetric");
  if (name == "int8" && !activations) add("weights-only");
  return name + words;
}

}  // namespace polygraphy
