#include "cli/jobs/command_setup.h"

#include "cli/args/model.h"
#include "cli/jobs/tf_model.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"

namespace polygraphy::cli {

CommandSetup resolve_setup(Session& session, ModelNeed need) {
  const ParsedArgs& args = session.args();
  CommandSetup setup{.model = resolve_model(args, session.env(), session.log()),
                     .shapes = resolve_shapes(args),
                     .inputs = {}};
  if (need == ModelNeed::kOnnx) {
    setup.converted = is_of_tensorflow(setup.model.format);
    require_or_make_onnx(session, setup.model);
  }
  if (auto copy = file_of_pipe(setup.model.path)) {
    session.keep(std::move(copy));
    setup.from_pipe = true;
  }
  return setup;
}

void resolve_inputs(Session& session, CommandSetup& setup) {
  setup.inputs = resolve_data_loader(session.args(), session.env(), setup.shapes, session.log());
  setup.inputs.options.strict_shapes = session.args().syntax().find("--input-shapes") != nullptr;
  use_graph_of(setup.model, setup.inputs);
}

}  // namespace polygraphy::cli
