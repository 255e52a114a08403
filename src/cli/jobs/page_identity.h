// The head of a page: what it is about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/session/session.h"
#include "pictures/report_page/report_page.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy::cli {

// "Run of model.onnx": `what` and the names of the models that the command got, without folders.
std::string page_title(const ParsedArgs& args, std::string_view what);

// Names the engines of a command in the head of its page: at its end, however it ends, with the
// versions of the libraries that it has opened.
class PageEngines {
 public:
  // `page`: null without one. All outlive this.
  PageEngines(ReportPage* page, const std::vector<RunnerSpec>& specs, const RunnerFactory& factory)
      : page_(page), specs_(specs), factory_(factory) {}
  ~PageEngines();
  PageEngines(const PageEngines&) = delete;
  PageEngines& operator=(const PageEngines&) = delete;

 private:
  ReportPage* page_;
  const std::vector<RunnerSpec> specs_;
  const RunnerFactory& factory_;
};

// Model, tolerances and date (SOURCE_DATE_EPOCH, else now), for the page's head.
void identify(Session& session, ReportPage& page);

}  // namespace polygraphy::cli
