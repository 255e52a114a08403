// Information about a graph in TensorFlow's files: names of inputs and outputs, and the restoration
// of variables. Read from the encoded messages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tensorflow {

// A tensor of a signature.
struct SignedTensor {
  std::string tensor;  // "serving_default_x:0"; empty: a sparse or composite tensor
  int type = 0;        // TF_DataType
  // The caller's name -> the tensor, in order of name.
};
using SignedTensors = std::map<std::string, SignedTensor>;

struct Signature {
  SignedTensors inputs, outputs;
};

struct MetaGraph {
  std::map<std::string, Signature> signatures;
  // For a checkpoint: the tensor that takes the file's name, and the operation to run then. Both
  // empty: no saver.
  std::string saver_file_tensor, saver_restore_operation, saver_save_tensor;
  std::string_view graph;  // a view of the message
};

// Both throw pgb::Failure for malformed messages. O(size).
MetaGraph read_meta_graph(std::string_view message);
// The tags of each graph in saved_model.pb.
std::vector<std::vector<std::string>> read_saved_model_tags(std::string_view message);

// The name of the newest checkpoint in the text of the file `checkpoint`; empty: it names none.
std::string newest_checkpoint(std::string_view text);

}  // namespace tensorflow
