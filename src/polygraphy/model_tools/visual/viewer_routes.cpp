#include "polygraphy/model_tools/visual/viewer_routes.h"

#include "base/error.h"
#include "formats/record_json.h"
#include "polygraphy/model_tools/visual/viewer_page.h"

namespace polygraphy {
namespace {

using Body = std::shared_ptr<const std::string>;

HttpAnswer answer_of(std::string_view status, std::string_view type, Body body) {
  std::string head = "HTTP/1.1 " + std::string(status) + "\r\nConnection: close\r\n";
  if (body) {
    head += "Content-Type: " + std::string(type) + "\r\n";
    head += "Content-Length: " + std::to_string(body->size()) + "\r\n";
    head += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
  }
  return {head + "\r\n", std::move(body)};
}

HttpAnswer refusal(std::string_view status) {
  return answer_of(status, "text/plain", std::make_shared<std::string>(std::string(status) + "\n"));
}

// A page of another site may have its own name point to this machine: it asks by that name.
bool is_this_machine(std::string_view host) {
  return host.empty() || host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

// Of all pages, one that can extract may send requests.
std::string page_of(const VisualModel& model, bool extracts) {
  std::string page = viewer_page(model);
  if (extracts) page.insert(page.find("style-src"), "connect-src 'self'; ");
  return page;
}

}  // namespace

HttpAnswer bad_request() {
  return refusal("400 Bad Request");
}

HttpAnswer too_long_request() {
  return refusal("431 Request Header Fields Too Large");
}

HttpAnswer too_long_body() {
  return refusal("413 Content Too Large");
}

ViewerRoutes::ViewerRoutes(VisualModel model, ExtractPart extract)
    : model_(std::move(model)),
      extract_(std::move(extract)),
      page_(std::make_shared<std::string>(page_of(model_, extract_ != nullptr))) {
  for (size_t g = 0; g < model_.graphs.size(); ++g) {
    const auto& nodes = model_.graphs[g].nodes;
    for (size_t n = 0; n < nodes.size(); ++n) nodes_.emplace(nodes[n].id, std::pair(g, n));
  }
}

HttpAnswer ViewerRoutes::answer(const HttpRequest& request) const {
  if (!is_this_machine(request.host)) return refusal("421 Misdirected Request");
  if (request.method == "POST" && request.path == "/extract" && extract_) return part(request);
  if (request.method != "GET" && request.method != "HEAD") {
    return refusal("405 Method Not Allowed");
  }
  HttpAnswer answer = content(request);
  if (request.method == "HEAD") answer.body = nullptr;
  return answer;
}

HttpAnswer ViewerRoutes::content(const HttpRequest& request) const {
  constexpr std::string_view kNode = "/node/";
  const std::string_view path = request.path;
  if (path == "/" || path == "/index.html") {
    return answer_of("200 OK", "text/html; charset=utf-8", page_);
  }
  if (path == "/heartbeat") return answer_of("204 No Content", {}, nullptr);
  if (path.starts_with(kNode)) {
    const auto found = nodes_.find(path.substr(kNode.size()));
    if (found != nodes_.end()) {
      const VisualGraph& graph = model_.graphs[found->second.first];
      return answer_of("200 OK", "application/json",
                       std::make_shared<std::string>(
                           node_json(model_, graph, graph.nodes[found->second.second])));
    }
  }
  return refusal("404 Not Found");
}

// A page of another site cannot send JSON: its browser asks first, by a method without an answer.
HttpAnswer ViewerRoutes::part(const HttpRequest& request) const {
  if (request.type != "application/json") return refusal("415 Unsupported Media Type");
  try {
    const auto part =
        parse_record<PartOfModel>(request.body, "/extract", "the part has no outputs.");
    return answer_of("200 OK", "application/octet-stream",
                     std::make_shared<std::string>(extract_(part)));
  } catch (const Error& error) {
    return answer_of("400 Bad Request", "text/plain; charset=utf-8",
                     std::make_shared<std::string>(error.what()));
  }
}

}  // namespace polygraphy
