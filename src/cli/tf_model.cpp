#include "cli/tf_model.h"

#include <memory>
#include <string>

#include "base/error.h"
#include "base/os/scratch_folder.h"
#include "cli/session/user_interpreter.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

TensorFlowModel describe(const ParsedArgs& args, const ModelArgs& model) {
  TensorFlowModel described{.path = model.path, .format = model.type};
  const auto text = [&](std::string_view key) {
    return args.syntax().find(key) ? args.text(key).value_or("") : std::string();
  };
  described.checkpoint = text("--ckpt");
  described.signature = text("--tf-signature");
  if (args.syntax().find("--tf-outputs")) described.outputs = args.list("--tf-outputs");
  if (args.syntax().find("--opset")) described.opset = args.integer("--opset");
  return described;
}

void refuse_to_replace(Session& session, const ModelArgs& model) {
  const ParsedArgs& args = session.args();
  for (const std::string_view key : {"--output", "--save-onnx"}) {
    const auto typed = args.syntax().find(key) ? args.text(key) : std::nullopt;
    if (typed) refuse_to_replace(model, key, *typed, session.env().path(*typed));
  }
}

// Signatures say which outputs these have.
void refuse_other_outputs(Session& session, const ModelArgs& model) {
  const ParsedArgs& args = session.args();
  if (!args.syntax().find("--tf-outputs") || !args.has("--tf-outputs")) return;
  if (!has_signatures(model.type)) return;
  throw Error("--tf-outputs cannot select outputs of the ONNX model converted from '" + model.path +
                  "': its signature defines them",
              "Select tensors of the ONNX model with --onnx-outputs.");
}

void convert(Session& session, ModelArgs& model, TensorFlowForm form, const std::string& name,
             std::string_view type) {
  const auto folder = std::make_shared<ScratchFolder>(temporary_folder() + "/.polygraphy-model-");
  std::string path = *folder / name;
  refuse_folder(model);
  if (form == TensorFlowForm::kOnnx) {
    refuse_to_replace(session, model);
    refuse_other_outputs(session, model);
  }
  const auto python = make_user_python(session.env(), session.log());
  convert_tensorflow(describe(session.args(), model), form, path, *python);
  session.keep(folder);
  model.path = std::move(path);
  model.type = type;
}

}  // namespace

void make_onnx_of_tensorflow(Session& session, ModelArgs& model) {
  if (is_of_tensorflow(model.type))
    convert(session, model, TensorFlowForm::kOnnx, "model.onnx", "onnx");
}

void require_or_make_onnx(Session& session, ModelArgs& model) {
  make_onnx_of_tensorflow(session, model);
  require_onnx(model);
}

void prepare_for_runners(Session& session, ModelArgs& model, bool onnx_too) {
  if (!is_of_tensorflow(model.type)) return;
  bool as_it_is = false;
  for (const auto& occurrence : session.args().occurrences()) {
    if (!occurrence.selects_runner()) continue;
    const pgb_backend_options* backend = occurrence.entry->runner;
    const bool takes_it = backend && takes_format(*backend, model.type);
    // Before anything is converted.
    if (backend && !takes_it && !takes_format(*backend, kOnnxFormat)) refuse_type(model, *backend);
    as_it_is |= takes_it;
    onnx_too |= !takes_it;
  }
  if (onnx_too) {
    ModelArgs made = model;
    make_onnx_of_tensorflow(session, made);
    model.onnx = made.path;
  }
  if (as_it_is) make_readable_for_tensorflow(session, model);
}

ModelSource onnx_source(const ModelArgs& model, ModelSource source) {
  if (model.onnx.empty()) return source;
  source.path = model.onnx;
  source.format = kOnnxFormat;
  return source;
}

void make_readable_for_tensorflow(Session& session, ModelArgs& model) {
  const ParsedArgs& args = session.args();
  const bool freeze = args.syntax().find("--freeze-graph") && args.has("--freeze-graph");
  if (freeze && has_signatures(model.type)) {
    convert(session, model, TensorFlowForm::kFrozen, "model", kSavedModelFormat);
  } else if (model.type == kKerasFormat) {
    convert(session, model, TensorFlowForm::kSavedModel, "model", kSavedModelFormat);
  } else if (freeze && model.type == kCheckpointFormat) {
    convert(session, model, TensorFlowForm::kFrozen, "model.pb", kFrozenFormat);
  }
}

}  // namespace polygraphy::cli
