// The model argument.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/os/scratch_folder.h"
#include "cli/session/environment.h"
#include "cli/syntax/parser.h"
#include "polygraphy/backend.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

// With the options of loading that the command has. The path is absolute if the file exists, else
// as typed; empty: none given. Warns of a path that does not exist. Throws Error if the format is
// unknown.
ModelSource resolve_model(const ParsedArgs& args, const Environment& env, Logger& log);

// Of --input-shapes, or the command's name for it, by names of inputs. Throws Error for a shape
// without a name.
Metadata resolve_shapes(const ParsedArgs& args);

// For commands that read the model more than once: a model that comes from a pipe is read here, and
// `path` becomes that of a file with it, in the folder that is returned; null: it is a file. Throws
// IoError.
std::shared_ptr<const ScratchFolder> file_of_pipe(std::string& path);

// Throws Error where the file `path` is the model, lies in its folder or is one of its
// checkpoint's: only an ONNX model may be saved over itself. `option` names the file, and `typed`
// is what it said.
void refuse_to_replace(const ModelSource& model, std::string_view option, const std::string& typed,
                       const std::string& path);

// Throws Error for a folder that counts as a checkpoint of TensorFlow, and has none.
void refuse_folder(const ModelSource& model);

// Throws Error: the back end takes no models of this format.
[[noreturn]] void refuse_type(const ModelSource& model, const pgb_backend_options& backend);

// Throws Error unless the model is ONNX: for what needs the graph, or has no back end here.
void require_onnx(const ModelSource& model);

}  // namespace polygraphy::cli
