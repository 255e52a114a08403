// Attributes of nodes as text.
#include "tensorflow/wire/node_attributes.h"

#include <gtest/gtest.h>

#include <functional>
#include <protozero/pbf_writer.hpp>

#include "common/plugin.h"
#include "tensorflow/library.h"

namespace tensorflow {
namespace {

using protozero::pbf_writer;

std::string shown(const std::function<void(pbf_writer&)>& put) {
  std::string bytes, entry, value;
  pbf_writer writer(value);
  put(writer);
  pbf_writer fields(entry);
  fields.add_string(1, "a");
  fields.add_message(2, value);
  pbf_writer(bytes).add_message(5, entry);
  return read_node_attributes(bytes).at("a");
}

TEST(NodeAttributes, EachKind) {
  EXPECT_EQ(shown([](pbf_writer& value) { value.add_bytes(2, "SAME\n'"); }), R"('SAME\x0a'')");
  EXPECT_EQ(shown([](pbf_writer& value) { value.add_int64(3, -4); }), "-4");
  EXPECT_EQ(shown([](pbf_writer& value) { value.add_float(4, 0.5f); }), "0.5");
  EXPECT_EQ(shown([](pbf_writer& value) { value.add_bool(5, true); }), "True");
  EXPECT_EQ(shown([](pbf_writer& value) { value.add_enum(6, 1); }), "float32");
  EXPECT_EQ(shown([](pbf_writer& value) { value.add_enum(6, 101); }), "float32_ref");
  EXPECT_EQ(shown([](pbf_writer& value) { value.add_enum(6, 99); }), "type 99");
  EXPECT_EQ(shown([](pbf_writer& value) {
              pbf_writer shape(value, 7);
              for (const int64_t size : {-1, 3}) pbf_writer(shape, 2).add_int64(1, size);
            }),
            "[-1, 3]");
  EXPECT_EQ(shown([](pbf_writer& value) { pbf_writer(value, 7).add_bool(3, true); }), "None");
  EXPECT_EQ(shown([](pbf_writer& value) { pbf_writer(value, 8).add_enum(1, 9); }),
            "Tensor: [dtype=int64, shape=[]]");
  EXPECT_EQ(shown([](pbf_writer& value) { pbf_writer(value, 10).add_string(1, "f"); }),
            "function f");
  EXPECT_EQ(shown([](pbf_writer& value) {
              const int64_t strides[] = {1, 2, 2, 1};
              pbf_writer(value, 1).add_packed_int64(3, std::begin(strides), std::end(strides));
            }),
            "[1, 2, 2, 1]");
}

TEST(NodeAttributes, DamagedOnesAreRefused) {
  EXPECT_THROW(read_node_attributes("\x2a\x05"), pgb::Failure);
  EXPECT_TRUE(read_node_attributes("").empty());
}

TEST(Readable, WithoutTracesAndAttributes) {
  EXPECT_EQ(readable("In[0] mismatch In[1] shape\n\t [[{{node product}}]]"),
            "In[0] mismatch In[1] shape");
  EXPECT_EQ(readable("No OpKernel for {{node y}} = Op[T=DT_FLOAT, n=1](x)\nDevices: CPU"),
            "No OpKernel for 'y'\nDevices: CPU");
  EXPECT_EQ(readable("plain"), "plain");
  EXPECT_EQ(readable("open {{node y"), "open {{node y");
  EXPECT_EQ(readable(""), "");
}

}  // namespace
}  // namespace tensorflow
