// Models of TensorFlow in the form that a command takes; the user's Python makes it.
#pragma once

#include "cli/session/session.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

// `model` becomes the ONNX model that is made of it, in a temporary folder that the session keeps;
// one that is not of TensorFlow stays. Throws Error, also where it is not an ONNX model then.
void require_or_make_onnx(Session& session, ModelSource& model);
// The same; a script of a network of TensorRT stays, too.
void require_script_or_make_onnx(Session& session, ModelSource& model);

// `model` becomes the form of it that TensorFlow's library reads (ModelForms::readable()). Throws
// Error.
void make_readable_for_tensorflow(Session& session, ModelSource& model);

// Before an ONNX model is made of one of TensorFlow. Throws Error: the command would write over the
// model, or its options choose outputs that its signature already says.
void require_convertible(Session& session, const ModelSource& model);

}  // namespace polygraphy::cli
