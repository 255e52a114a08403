// The viewer's answers to requests.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "polygraphy/model_tools/visual/http_request.h"
#include "polygraphy/model_tools/visual/viewer_server.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

struct HttpAnswer {
  std::string head;                         // with the blank line behind it
  std::shared_ptr<const std::string> body;  // null: none
};

HttpAnswer bad_request();
HttpAnswer too_long_request();
HttpAnswer too_long_body();

class ViewerRoutes {
 public:
  explicit ViewerRoutes(VisualModel model, ExtractPart extract = {});

  HttpAnswer answer(const HttpRequest& request) const;

 private:
  HttpAnswer content(const HttpRequest& request) const;
  HttpAnswer part(const HttpRequest& request) const;

  VisualModel model_;
  ExtractPart extract_;
  std::shared_ptr<const std::string> page_;
  // By id: graph and node.
  std::unordered_map<std::string_view, std::pair<size_t, size_t>> nodes_;
};

}  // namespace polygraphy
