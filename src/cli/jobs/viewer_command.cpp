#include "cli/jobs/viewer_command.h"

#include <string>
#include <utility>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/child_process.h"
#include "base/text.h"
#include "cli/session/deferred_interrupts.h"
#include "polygraphy/model_tools/visual/graph_svg.h"
#include "polygraphy/model_tools/visual/neighbourhood.h"
#include "polygraphy/model_tools/visual/viewer_page.h"
#include "polygraphy/model_tools/visual/viewer_server.h"

namespace polygraphy::cli {
namespace {

// In a separate session, so that Ctrl-C and the end of the command do not end it. Does nothing
// without a desktop.
void open_browser(const Environment& env, const std::string& url, Logger& log) {
  if (env.variable("DISPLAY").empty() && env.variable("WAYLAND_DISPLAY").empty()) return;
  try {
    ChildProcess browser({.argv = {"setsid", "--fork", "xdg-open", url},
                          .out = ChildStream::null(),
                          .err = ChildStream::null()});
    browser.wait();
  } catch (const Error& error) {
    log.verbose(log_modules::kViewer, std::string("No browser was opened: ") + error.what());
  }
}

void serve(Session& session, int port, VisualModel model) {
  Environment& env = session.env();
  const DeferredInterrupts interrupts(env);
  ViewerServer server(std::move(model), port);
  session.log().info(log_modules::kViewer,
                     "Viewer available at " + server.url() + "  (press Ctrl+C to exit)");
  env.out.flush();
  open_browser(env, server.url(), session.log());
  server.serve(cancel_token(env));
}

}  // namespace

void show_in_viewer(Session& session, const VisualizationArgs& args, VisualModel model) {
  if (args.around) model = neighbourhood(model, *args.around, args.depth);
  if (!args.save_path) return serve(session, args.port, std::move(model));
  const bool picture = to_lower(*args.save_path).ends_with(".svg");
  write_file(*args.save_path, picture ? graph_svg(model) : viewer_page(model));
  session.log().info(
      log_modules::kViewer,
      (picture ? "Graph picture saved to " : "Viewer HTML saved to ") + *args.save_path);
}

}  // namespace polygraphy::cli
