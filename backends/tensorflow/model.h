// A loaded model: its graph, a session that runs it, its inputs and outputs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tensorflow/graph.h"
#include "tensorflow/wire/meta_graph.h"

namespace tensorflow {

class Model {
 public:
  // Throws Failure. Formats: frozen, saved_model, ckpt.
  Model(const Library& library, const pgb::Host& host, const pgb_model& model,
        const pgb::Options& options);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Graph& graph() const { return graph_; }
  TF_Session* session() const { return session_; }
  const Ports& inputs() const { return inputs_; }
  const Ports& outputs() const { return outputs_; }

 private:
  void load_frozen(const pgb_model& model);
  void load_checkpoint(const std::string& path, const std::string& name);
  void load_saved_model(const std::string& path, const std::string& signature);
  void open_session();
  void restore(const MetaGraph& meta, const std::string& prefix);
  void take(const SignedTensors& tensors, Ports& into, const char* what);
  // The tensors that may be outputs.
  std::vector<Output> selectable(std::vector<Output> tensors) const;
  // A note on the functions that its outputs need; empty: no calls.
  std::string of_functions() const;
  // The outputs for '*' and 'mark all' of --tf-outputs: its outputs under their names, and all
  // others.
  Ports all_outputs() const;
  // --tf-outputs.
  void select_outputs(const std::vector<std::string>& names);

  const Library& library_;
  const pgb::Host& host_;
  Graph graph_;
  Owned<TF_SessionOptions> session_options_;
  TF_Session* session_ = nullptr;
  bool is_frozen_ = false;
  Ports inputs_, outputs_;
};

}  // namespace tensorflow
