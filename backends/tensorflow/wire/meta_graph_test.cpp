// Reading TensorFlow's files.
#include "tensorflow/wire/meta_graph.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "common/plugin.h"

namespace tensorflow {
namespace {

std::string file(const std::string& name) {
  std::ifstream stream(PG_SOURCE_DIR "/backends/tensorflow/testdata/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The first graph of a SavedModel of less than 16 KiB: key, two bytes of length, the message.
std::string_view graph_in(std::string_view saved_model) {
  return saved_model.substr(saved_model.find('\x12') + 3);
}

TEST(MetaGraph, ACheckpointsSaverAndGraph) {
  const std::string bytes = file("checkpoint/model.meta");
  const MetaGraph meta = read_meta_graph(bytes);
  EXPECT_EQ(meta.saver_file_tensor, "save/Const:0");
  EXPECT_EQ(meta.saver_restore_operation, "save/restore_all");
  EXPECT_EQ(meta.saver_save_tensor, "save/control_dependency:0");
  EXPECT_NE(meta.graph.find("VarHandleOp"), meta.graph.npos);
  EXPECT_TRUE(meta.signatures.empty());
}

TEST(MetaGraph, SignaturesOfASavedModel) {
  const std::string bytes = file("saved_model/saved_model.pb");
  const MetaGraph meta = read_meta_graph(graph_in(bytes));
  ASSERT_TRUE(meta.signatures.contains("serving_default"));
  const Signature& signature = meta.signatures.at("serving_default");
  EXPECT_EQ(signature.inputs.at("x").tensor, "serving_default_x:0");
  EXPECT_EQ(signature.inputs.at("x").type, 1);
  EXPECT_EQ(signature.outputs.size(), 2u);
  EXPECT_EQ(signature.outputs.at("total").tensor, "StatefulPartitionedCall:1");
  EXPECT_EQ(meta.signatures.at("shout").inputs.at("text").type, 7);
}

TEST(MetaGraph, TagsOfASavedModel) {
  using Tags = std::vector<std::vector<std::string>>;
  EXPECT_EQ(read_saved_model_tags(file("saved_model/saved_model.pb")), Tags{{"serve"}});
  EXPECT_EQ(read_saved_model_tags(""), Tags());
}

TEST(MetaGraph, DamagedOnesAreRefused) {
  const std::string bytes = file("checkpoint/model.meta");
  EXPECT_THROW(read_meta_graph(bytes.substr(0, bytes.size() / 2)), pgb::Failure);
  EXPECT_THROW(read_meta_graph("garbage"), pgb::Failure);
  EXPECT_THROW(read_saved_model_tags("\x12\x7f"), pgb::Failure);
}

TEST(MetaGraph, TheNewestCheckpoint) {
  EXPECT_EQ(newest_checkpoint(file("checkpoint/checkpoint")), "model");
  EXPECT_EQ(newest_checkpoint("all_model_checkpoint_paths: \"a\"\nmodel_checkpoint_path: \"b\""),
            "b");
  EXPECT_EQ(newest_checkpoint("all_model_checkpoint_paths: \"a\"\n"), "");
  EXPECT_EQ(newest_checkpoint("model_checkpoint_path: \"a\n"), "");
  EXPECT_EQ(newest_checkpoint(""), "");
}

}  // namespace
}  // namespace tensorflow
