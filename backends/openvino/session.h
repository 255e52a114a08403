// A model compiled by OpenVINO.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "common/cancel_watch.h"
#include "common/ports.h"
#include "openvino/library.h"

namespace openvino {

class Session {
 public:
  // Throws Failure.
  Session(const Library& library, ov_core_t* core, const pgb::Host& host, const pgb_model& model,
          const pgb::Options& options);

  const std::deque<pgb::Port>& inputs() const { return inputs_; }
  const std::deque<pgb::Port>& outputs() const { return outputs_; }
  const pgb::Host& host() const { return host_; }

  void infer(const pgb_named_value* feeds, size_t count, pgb_output_fn deliver, void* context);
  void profile(pgb_node_time_fn row, void* context);
  // By its name in ONNX; null: the device does not report it.
  const char* precision() const { return precision_.empty() ? nullptr : precision_.c_str(); }

 private:
  void compile(ov_core_t* core, const pgb_model& model, const pgb::Options& options);
  void report_precision(const std::string& requested);
  // `names`: of the ONNX graph, in its order; used when there are as many as ports.
  void describe(std::deque<pgb::Port>& ports, bool are_inputs, const char* const* names,
                size_t name_count);

  void provide_packed_outputs();

  const Library& library_;
  pgb::Host host_;
  bool profiling_ = false;
  std::string precision_;
  Owned<ov_compiled_model_t> compiled_;
  Owned<ov_infer_request_t> request_;
  std::deque<pgb::Port> inputs_, outputs_;
  std::deque<std::vector<std::byte>> packed_outputs_;  // memory of ours that OpenVINO writes to
  pgb::CancelWatch watch_;
};

}  // namespace openvino
