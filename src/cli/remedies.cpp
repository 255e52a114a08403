#include "cli/remedies.h"

#include <string_view>

#include "graphsurgeon/ir/payloads/external_payload.h"

namespace polygraphy::cli {
namespace {

struct Remedy {
  ErrorCode code;
  std::string_view text;
};

constexpr Remedy kRemedies[] = {
    {graphsurgeon::kExternalDataElsewhere, "Another folder is given with --external-data-dir."},
};

}  // namespace

std::string advice(const Error& error) {
  std::string text = error.hint();
  for (const Remedy& remedy : kRemedies) {
    if (!error.code() || remedy.code != error.code()) continue;
    if (!text.empty()) text += text.back() == '.' ? " " : "\n";
    text += remedy.text;
  }
  return text;
}

}  // namespace polygraphy::cli
