// A model that is loaded in the user's Python.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "common/plugin.h"
#include "common/python/process.h"
#include "common/python/values.h"

namespace pgb::python {

class Session {
 public:
  // Throws Failure.
  Session(std::shared_ptr<Process> process, const Host& host, const pgb_model& model,
          const pgb_session_options& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Host& host() const { return host_; }
  const std::deque<Port>& inputs() const { return inputs_; }
  const std::deque<Port>& outputs() const { return outputs_; }
  void infer(const pgb_named_value* feeds, size_t count, pgb_output_fn deliver, void* context);
  void profile(pgb_node_time_fn row, void* context);

 private:
  std::shared_ptr<Process> process_;
  Host host_;
  int64_t number_ = 0;
  std::deque<Port> inputs_, outputs_;
  OutputMemory* memory_ = nullptr;  // of the last outputs
};

}  // namespace pgb::python
