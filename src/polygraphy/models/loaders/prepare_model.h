// Prepares a model file, with the requested edits, for a runtime.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/models/loaders/mark_outputs.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy {

// Limits of a runtime, evaluated only if a model needs them, because that may take time.
struct BackendLimits {
  std::function<uint32_t()> capabilities;   // PGB_*
  std::function<int64_t()> max_ir_version;  // 0: not known
  std::function<int64_t()> max_opset;       // of the default domain; 0: not known
};

// The contents of blob() live as long as this object, which also removes its temporary folder.
class PreparedModel {
 public:
  ~PreparedModel();
  PreparedModel(PreparedModel&&) noexcept;
  PreparedModel& operator=(PreparedModel&&) = delete;

  ModelBlob blob() const;

 private:
  friend PreparedModel prepare_model(const ModelSource&, const BackendLimits&, Logger&);
  friend PreparedModel prepare_loaded_model(const graphsurgeon::Model&, const BackendLimits&,
                                            Logger&);
  struct State;
  explicit PreparedModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// As it is in its file: ignores the edits that `source` requests. Throws Error, also for a model
// that is not ONNX.
graphsurgeon::Model load_as_is(const ModelSource& source);

// A model without edits is passed by path; only its header is read. Else the model is loaded (INFO
// `Loading model: …`), its outputs are marked, and the runtime gets bytes; external data stays in
// its files. A runtime without PGB_EXTERNAL_FOLDER gets a temporary folder with the edited model
// and the data; one with PGB_MAPS_WEIGHTS finds the large weights of an edited model in its old
// file. The limit on IR versions is evaluated for models newer than known runtimes. Throws Error.
PreparedModel prepare_model(const ModelSource& source, const BackendLimits& limits, Logger& log);

// The same for a model in memory: its bytes, stamped as the runtime takes them; external data stays
// where it is. A model too large for one message (2 GiB) is written to a temporary folder. The
// model may change afterwards, the file that it was loaded from may not. Throws Error.
PreparedModel prepare_loaded_model(const graphsurgeon::Model& model, const BackendLimits& limits,
                                   Logger& log);

// --fp-to-fp16: graphsurgeon's convert_to_float16() with its usual options (INFO `Converting float
// tensors to float16`), and a warning for each tensor with numbers that had to be cut. The latter
// comes when the values are read: `log` outlives the model. `kept`: nodes that stay in float32.
void make_float16(graphsurgeon::Model& model, Logger& log,
                  std::unordered_set<const graphsurgeon::Node*> kept = {});

// --onnx-graphsurgeon: removes nodes that no output depends on, and sorts the others (INFO: their
// number).
void tidy_model(graphsurgeon::Model& model, Logger& log);

// The tensors that become outputs of a model that is loaded for `source`.
OutputSelection output_selection(const ModelSource& source);

// Throws Error if the file of an ONNX model has another format or is damaged, or if its external
// data is missing or short. Accepts other formats. Gives a better message after a runtime refused a
// model. O(structure).
void check_model_file(const ModelSource& source);

}  // namespace polygraphy
