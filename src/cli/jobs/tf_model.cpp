#include "cli/jobs/tf_model.h"

#include <memory>
#include <string>

#include "base/error.h"
#include "cli/args/model.h"
#include "cli/session/user_interpreter.h"
#include "cli/syntax/parser.h"
#include "polygraphy/models/tensorflow/model_forms.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy::cli {
namespace {

void refuse_to_overwrite(Session& session, const ModelSource& model) {
  const ParsedArgs& args = session.args();
  for (const std::string_view key : {"--output", "--save-onnx"}) {
    const auto typed = args.syntax().find(key) ? args.text(key) : std::nullopt;
    if (typed) refuse_to_replace(model, key, *typed, session.env().path(*typed));
  }
}

// Signatures say which outputs these have.
void refuse_other_outputs(Session& session, const ModelSource& model) {
  const ParsedArgs& args = session.args();
  if (!args.syntax().find("--tf-outputs") || !args.has("--tf-outputs")) return;
  if (!has_signatures(model.format)) return;
  throw Error("--tf-outputs cannot select outputs of the ONNX model converted from '" + model.path +
                  "': its signature defines them",
              "Select tensors of the ONNX model with --onnx-outputs.");
}

// In the form that `make` gives of it.
void convert(Session& session, ModelSource& model,
             ModelSource (ModelForms::*make)(const ModelSource&)) {
  const auto forms = std::make_shared<ModelForms>(make_user_python(session.env(), session.log()));
  model = ((*forms).*make)(model);
  session.keep(forms);
}

}  // namespace

void require_convertible(Session& session, const ModelSource& model) {
  if (!is_of_tensorflow(model.format)) return;
  refuse_folder(model);
  refuse_to_overwrite(session, model);
  refuse_other_outputs(session, model);
}

void require_or_make_onnx(Session& session, ModelSource& model) {
  if (is_of_tensorflow(model.format)) {
    require_convertible(session, model);
    convert(session, model, &ModelForms::onnx);
  }
  require_onnx(model);
}

void require_script_or_make_onnx(Session& session, ModelSource& model) {
  if (model.format != kNetworkScriptFormat) require_or_make_onnx(session, model);
}

void make_readable_for_tensorflow(Session& session, ModelSource& model) {
  if (!is_of_tensorflow(model.format)) return;
  refuse_folder(model);
  convert(session, model, &ModelForms::readable);
}

}  // namespace polygraphy::cli
