// Measurements, and their file for Chrome's tracing.
#include "tensorflow/wire/step_stats.h"

#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>

#include "common/plugin.h"

namespace tensorflow {
namespace {

std::string one_node(const std::string& name, const std::string& label) {
  std::string bytes;
  protozero::pbf_writer metadata(bytes);
  protozero::pbf_writer stats(metadata, 1);
  protozero::pbf_writer device(stats, 1);
  device.add_string(1, "cpu:0");
  protozero::pbf_writer node(device, 2);
  node.add_string(1, name);
  node.add_int64(2, 1000);
  node.add_int64(5, 20);
  node.add_string(8, label);
  node.add_uint32(10, 3);
  node.commit();
  device.commit();
  stats.commit();
  return bytes;
}

TEST(StepStats, NodesWithTimes) {
  const auto nodes = read_step_stats(one_node("y:Relu", ""));
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].device, "cpu:0");
  EXPECT_EQ(nodes[0].name, "y");
  EXPECT_EQ(nodes[0].op, "Relu");
  EXPECT_EQ(nodes[0].start, 1000);
  EXPECT_EQ(nodes[0].duration, 20);
  EXPECT_EQ(nodes[0].nanoseconds, 20000);
  EXPECT_EQ(nodes[0].thread, 3);
  EXPECT_EQ(read_step_stats(one_node("y", "y = MatMul(x, w)"))[0].op, "MatMul");
  EXPECT_EQ(read_step_stats(one_node("y", "y"))[0].op, "");
  EXPECT_TRUE(read_step_stats("").empty());
}

TEST(StepStats, DamagedOnesAreRefused) {
  EXPECT_THROW(read_step_stats("\x0a\x7f"), pgb::Failure);
}

TEST(StepStats, Timeline) {
  EXPECT_EQ(timeline(read_step_stats(one_node("y:Relu", ""))),
            R"({"traceEvents":[{"ph":"X","cat":"Op","name":"Relu","pid":0,"tid":3,"ts":1000,)"
            R"("dur":20,"args":{"name":"y","op":"Relu"}},)"
            R"({"ph":"M","name":"process_name","pid":0,"args":{"name":"cpu:0"}}]})");
}

}  // namespace
}  // namespace tensorflow
