// Input: a line for `polygraphy mcp`. Of a message, each value that is given back is JSON.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "cli/mcp/rpc_message.h"
#include "formats/json_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace polygraphy;
  const std::string line(reinterpret_cast<const char*>(data), size);
  cli::rpc_id(line);
  try {
    const auto message = cli::parse_rpc(line);
    if (!message || message->id.empty()) return 0;
    const std::string answer = cli::rpc_result(message->id, "{}");
    JsonReader json(answer, "the answer");
    json.skip_value();
    json.finish();
  } catch (const FormatError&) {
  }
  return 0;
}
