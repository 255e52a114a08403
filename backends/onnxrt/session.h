// A model loaded by ONNX Runtime.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "common/cancel_watch.h"
#include "common/ports.h"
#include "onnxrt/library.h"
#include "onnxrt/profile.h"

namespace onnxrt {

class Session {
 public:
  // Throws Failure.
  Session(Library& library, const pgb::Host& host, const pgb_model& model,
          const pgb::Options& options);

  const std::deque<pgb::Port>& inputs() const { return inputs_; }
  const std::deque<pgb::Port>& outputs() const { return outputs_; }
  const pgb::Host& host() const { return sink_.host(); }

  void infer(const pgb_named_value* feeds, size_t count, pgb_output_fn deliver, void* context);
  void profile(pgb_node_time_fn row, void* context);

 private:
  void create(const pgb_model& model, OrtSessionOptions* options);
  void describe(std::deque<pgb::Port>& ports, bool are_inputs);
  void check(OrtStatus* status) const;

  Library& library_;
  bool verbatim_;  // messages in ONNX Runtime's own words
  LogSink sink_;
  std::optional<ProfileFolder> profile_;
  bool profile_taken_ = false;
  Owned<OrtSession> session_;
  Owned<OrtRunOptions> run_options_;
  std::deque<pgb::Port> inputs_, outputs_;
  std::vector<const char*> output_names_;
  pgb::CancelWatch watch_;
};

}  // namespace onnxrt
