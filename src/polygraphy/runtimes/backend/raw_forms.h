// Models, options and descriptions of values in the forms of the C interface.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "polygraphy/backend.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/loaders/model_names.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/calibration_batches.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy {

// An input or output of a loaded model, as ONNX's ValueInfoProto.
struct ValueInfo {
  std::string name;
  TensorInfo info;  // of an optional: of the value in it
};

ValueInfo to_value_info(const pgb_tensor_info& raw);

// Views of the texts.
std::vector<const char*> pointers(const std::vector<std::string>& texts);

// The values that a session's inputs() or outputs() lists.
std::vector<ValueInfo> value_infos(pgb_session* session,
                                   size_t (*list)(pgb_session*, size_t, const pgb_tensor_info**));

// Names, types and shapes of values in the form of the C interface.
class RawInfos {
 public:
  explicit RawInfos(const Metadata& values);
  RawInfos(const RawInfos&) = delete;
  RawInfos& operator=(const RawInfos&) = delete;
  const std::vector<pgb_tensor_info>& values() const { return infos_; }

 private:
  std::vector<std::vector<int64_t>> dims_;
  std::vector<pgb_tensor_info> infos_;
};

// Options; refers to them.
class RawOptions {
 public:
  explicit RawOptions(const SessionOptions& options);
  RawOptions(const RawOptions&) = delete;
  RawOptions& operator=(const RawOptions&) = delete;
  const pgb_session_options& value() const { return raw_; }
  // After the call that they were for.
  void rethrow_failure_of_batches() { batches_.rethrow_failure(); }

 private:
  CalibrationBatches batches_;
  std::vector<std::vector<const char*>> values_;
  std::vector<pgb_key_values> entries_;
  RawInfos inputs_;
  pgb_session_options raw_{};
};

// A model; refers to it. `with_names`: of its inputs and outputs, too, for an ONNX model. Throws
// Error: the file cannot be read.
class RawModel {
 public:
  RawModel(const ModelBlob& model, bool with_names);
  RawModel(const RawModel&) = delete;
  RawModel& operator=(const RawModel&) = delete;
  const pgb_model& value() const { return raw_; }

 private:
  ModelNames names_;
  std::vector<const char*> inputs_, outputs_;
  pgb_model raw_{};
};

}  // namespace polygraphy
