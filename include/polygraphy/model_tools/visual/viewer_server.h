// The viewer for a browser on this machine.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/record.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// The port is in use, not permitted, or not a valid number.
inline constexpr ErrorCode kPortNotAvailable{"port-not-available"};

// Between tensors of a model's main graph, by their names.
struct PartOfModel {
  std::vector<std::string> inputs = {}, outputs = {};
};
constexpr auto record_of(RecordOf<PartOfModel>) {
  return record<PartOfModel>("PartOfModel", "A part of a model, by names of tensors.",
                             member("inputs", &PartOfModel::inputs, "Of the part."),
                             member("outputs", &PartOfModel::outputs, "Of the part.").needed());
}
// The part as a file of ONNX. Throws Error.
using ExtractPart = std::function<std::string(const PartOfModel&)>;

// Answers GET and HEAD of /, /heartbeat and /node/ID on 127.0.0.1, and POST of /extract with a
// PartOfModel as JSON, if the Host header names this machine, so that pages of other sites cannot
// read the model. Requests, connections and waiting are limited. It has no threads: serve() serves
// the connections, and extracts parts.
class ViewerServer {
 public:
  // Starts to listen. Port 0: any free port. Throws Error (kPortNotAvailable).
  ViewerServer(VisualModel model, int port, ExtractPart extract = {});
  ~ViewerServer();
  ViewerServer(const ViewerServer&) = delete;
  ViewerServer& operator=(const ViewerServer&) = delete;

  int port() const;
  std::string url() const;  // "http://127.0.0.1:8000/"

  // Returns within a tenth of a second after `cancel` is cancelled. Throws IoError if the system
  // provides no more connections.
  void serve(CancelToken cancel);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace polygraphy
