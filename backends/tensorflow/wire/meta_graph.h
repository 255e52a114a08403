// What TensorFlow's files say of a graph, beside the graph: names of inputs and outputs, and how
// variables are restored. Read from the encoded messages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tensorflow {

// A tensor as a signature tells it.
struct SignedTensor {
  std::string tensor;  // "serving_default_x:0"; empty: it is none, but sparse or composite
  int type = 0;        // TF_DataType
  // What the caller knows it by -> itself; a map has them in order of name.
};
using SignedTensors = std::map<std::string, SignedTensor>;

struct Signature {
  SignedTensors inputs, outputs;
};

struct MetaGraph {
  std::map<std::string, Signature> signatures;
  // Of a checkpoint: the tensor that the file's name is fed to, and the operation to run then. Both
  // empty: none.
  std::string saver_file_tensor, saver_restore_operation, saver_save_tensor;
  std::string_view graph;  // a view of the message
};

// Both throw pgb::Failure for what is none. O(size).
MetaGraph read_meta_graph(std::string_view message);
// The tags of each graph in saved_model.pb.
std::vector<std::vector<std::string>> read_saved_model_tags(std::string_view message);

// The name of the newest checkpoint in the text of the file `checkpoint`; empty: it names none.
std::string newest_checkpoint(std::string_view text);

}  // namespace tensorflow
