#include "cli/jobs/surgeon_command.h"

#include <memory>
#include <utility>

#include "cli/args/data_loader.h"
#include "cli/args/model.h"
#include "cli/args/onnx_saving.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/user_interpreter.h"

namespace polygraphy::cli {

SurgeryFiles resolve_surgery(Session& session) {
  const ParsedArgs& args = session.args();
  return {.model = resolve_model(args, session.env(), session.log()),
          .output = resolve_onnx_saving(args, session.env())};
}

ObservedRun resolve_observed_run(Session& session, const Metadata& shapes) {
  ObservedRun run;
  run.plugins = resolve_plugin_paths(session.env());
  run.feeds = [&session, shapes](const graphsurgeon::Model& model, Logger& log) {
    DataLoaderArgs inputs = resolve_data_loader(session.args(), session.env(), shapes, log);
    inputs.options.announce_shapes = false;
    use_graph_of(model, inputs);
    return make_feeds(inputs, make_user_python(session.env(), log), log);
  };
  return run;
}

int finish(Session& session, graphsurgeon::Model result) {
  session.discard(std::make_unique<graphsurgeon::Model>(std::move(result)));
  return 0;
}

}  // namespace polygraphy::cli
