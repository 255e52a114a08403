// A model of TensorFlow that is run.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "common/cancel_watch.h"
#include "tensorflow/model.h"
#include "tensorflow/wire/step_stats.h"

namespace tensorflow {

class Session {
 public:
  // Throws Failure.
  Session(const Library& library, const pgb::Host& host, const pgb_model& model,
          const pgb::Options& options);

  const Ports& inputs() const { return model_.inputs(); }
  const Ports& outputs() const { return model_.outputs(); }
  const pgb::Host& host() const { return host_; }

  void infer(const pgb_named_value* feeds, size_t count, pgb_output_fn deliver, void* context);
  void profile(pgb_node_time_fn row, void* context);

 private:
  struct Request;
  Request request_for(const pgb_named_value* feeds, size_t count) const;
  std::vector<TF_Tensor*> run(const Request& request);
  // --save-pb, --save-tensorboard.
  void save_graph(const pgb::Options& options) const;
  void save_timeline();

  const Library& library_;
  pgb::Host host_;
  Model model_;
  bool profiling_ = false;
  std::string timelines_;  // --save-timeline: a folder
  int inferences_ = 0;
  std::vector<TimedNode> nodes_;     // of the last inference
  std::atomic<bool> closed_{false};  // by a cancellation
  pgb::CancelWatch watch_;
};

}  // namespace tensorflow
