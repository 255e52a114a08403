#include "cli/jobs/command_setup.h"

#include "cli/args/onnx_loading.h"
#include "cli/jobs/option_warnings.h"
#include "cli/jobs/tf_model.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"

namespace polygraphy::cli {

CommandSetup resolve_setup(Session& session, ModelNeed need) {
  const ParsedArgs& args = session.args();
  Environment& env = session.env();
  Logger& log = session.log();
  warn_of_removed_options(args, log);
  CommandSetup setup{.model = resolve_model(args, env, log), .source = {}, .inputs = {}};
  if (need == ModelNeed::kOnnx) {
    setup.converted = is_of_tensorflow(setup.model.type);
    require_or_make_onnx(session, setup.model);
  }
  if (auto copy = file_of_pipe(setup.model.path)) {
    session.keep(std::move(copy));
    setup.from_pipe = true;
  }
  setup.source = resolve_model_source(args, env, setup.model);
  return setup;
}

void resolve_inputs(Session& session, CommandSetup& setup) {
  setup.inputs =
      resolve_data_loader(session.args(), session.env(), setup.model.shapes, session.log());
  setup.inputs.options.strict_shapes = session.args().syntax().find("--input-shapes") != nullptr;
  use_graph_of(setup.source, setup.inputs);
}

}  // namespace polygraphy::cli
