// Input: a request of a browser. Every request has an answer.
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "polygraphy/model_tools/visual/http_request.h"
#include "polygraphy/model_tools/visual/viewer_routes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static const polygraphy::ViewerRoutes routes(
      {.title = "m", .graphs = {{.title = "g", .nodes = {{.id = "node_0"}}}}},
      [](const polygraphy::PartOfModel& part) {
        return part.outputs.empty() ? throw polygraphy::Error("nothing") : part.outputs.front();
      });
  const auto length = polygraphy::request_head_length(bytes);
  if (!length) return 0;
  if (*length > size) __builtin_trap();
  auto request = polygraphy::parse_request_head(bytes.substr(0, *length));
  if (request) request->body = bytes.substr(*length, request->length);
  const polygraphy::HttpAnswer answer =
      request ? routes.answer(*request) : polygraphy::bad_request();
  if (!answer.head.ends_with("\r\n\r\n")) __builtin_trap();
  return 0;
}
