// Models of TensorFlow in the form that something else takes; its own Python makes that.
#pragma once

#include "cli/args/model.h"
#include "cli/session/session.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

// `model` becomes the ONNX model that is made of it, in a temporary folder that the session keeps;
// one that is not of TensorFlow stays. Throws Error.
void make_onnx_of_tensorflow(Session& session, ModelArgs& model);

// The same, and throws Error if the result is not an ONNX model.
void require_or_make_onnx(Session& session, ModelArgs& model);

// For runners: each gets the form that its back end takes. ModelArgs::onnx is made if one of them
// takes ONNX models only, or `onnx_too`; the model becomes what TensorFlow's library reads if one
// of them does. One that is not of TensorFlow stays. Throws Error.
void prepare_for_runners(Session& session, ModelArgs& model, bool onnx_too);

// `source` of the model that runners of ONNX models get.
ModelSource onnx_source(const ModelArgs& model, ModelSource source);

// Converts to a form that TensorFlow's library reads: a Keras model to a SavedModel; with
// --freeze-graph, a checkpoint to a frozen graph, and a SavedModel to one without variables and
// functions. Other models stay.
void make_readable_for_tensorflow(Session& session, ModelArgs& model);

}  // namespace polygraphy::cli
