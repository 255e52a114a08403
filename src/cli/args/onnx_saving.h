// Saving an ONNX model.
#pragma once

#include <string>

#include "base/log.h"
#include "cli/environment.h"
#include "cli/syntax/arg_group.h"
#include "cli/syntax/parser.h"
#include "graphsurgeon/io/save.h"

namespace polygraphy::cli {

// Commands pick from it: `run` calls the destination --save-onnx, the others --output.
extern const ArgGroup args_onnx_saving;
// What commands that write one model take of it.
inline constexpr std::string_view kSavingOptions =
    "--output --save-external-data --external-data-size-threshold "
    "--no-save-all-tensors-to-one-file --share-external-data";

struct OnnxSaving {
  std::string typed;  // the destination as the user wrote it; empty: none given
  std::string path;
  graphsurgeon::SaveOptions options;
  // Given, but of no use without external data.
  bool unused_threshold = false, unused_split = false;
};

// Throws Error for a threshold that is no number of bytes.
OnnxSaving resolve_onnx_saving(const ParsedArgs& args, const Environment& env);

// Writes the model (INFO `Saving ONNX model to: …`), creating the folder. Models that one file
// cannot hold get external data, with a warning. Throws Error.
void save_onnx(const graphsurgeon::Model& model, const OnnxSaving& saving, Logger& log);

}  // namespace polygraphy::cli
