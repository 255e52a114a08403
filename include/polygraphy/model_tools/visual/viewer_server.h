// The viewer for a browser on this machine.
#pragma once

#include <memory>
#include <string>

#include "base/cancel.h"
#include "base/error.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// The port is taken, may not be used, or is none.
inline constexpr ErrorCode kPortNotAvailable{"port-not-available"};

// Answers GET and HEAD of /, /heartbeat and /node/ID on 127.0.0.1, to who asks it by a name of this
// machine: pages of other sites cannot read the model. Requests, connections and waiting are
// limited. It has no threads: connections are served while serve() runs.
class ViewerServer {
 public:
  // Listens from now on. Port 0: any that is free. Throws Error (kPortNotAvailable).
  ViewerServer(VisualModel model, int port);
  ~ViewerServer();
  ViewerServer(const ViewerServer&) = delete;
  ViewerServer& operator=(const ViewerServer&) = delete;

  int port() const;
  std::string url() const;  // "http://127.0.0.1:8000/"

  // Returns within a tenth of a second after `cancel` is cancelled. Throws IoError when the system
  // gives no more connections.
  void serve(CancelToken cancel);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace polygraphy
