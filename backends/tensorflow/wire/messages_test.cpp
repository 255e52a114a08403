// The messages for TensorFlow.
#include "tensorflow/wire/messages.h"

#include <gtest/gtest.h>

namespace tensorflow {
namespace {

using std::string_literals::operator""s;

TEST(Messages, ConfigurationIsAConfigProto) {
  EXPECT_EQ(encode_configuration({.gpu_memory_fraction = 0.5}),
            "\x32\x09\x09\0\0\0\0\0\0\xe0\x3f\x38\x01"s);
  EXPECT_EQ(encode_configuration({.gpu_memory_fraction = 0.5, .allow_growth = true, .xla = true}),
            "\x32\x0b\x09\0\0\0\0\0\0\xe0\x3f\x20\x01\x38\x01\x52\x06\x1a\x04\x28\x01\x38\x01"s);
}

TEST(Messages, TracingIsARunOptions) {
  EXPECT_EQ(encode_tracing(), "\x08\x03"s);
}

// As TensorFlow writes them: length, its checksum, the record, its checksum.
TEST(Messages, EventFilesHaveRecordsWithChecksums) {
  const std::string file = event_file("graph", 1.0);
  const std::string version =
      "\x09\0\0\0\0\0\0\xf0\x3f\x1a\x0d"
      "brain.Event:2"s;
  ASSERT_EQ(file.size(), 12 + version.size() + 4 + 12 + 16 + 4);
  EXPECT_EQ(file.substr(0, 12), "\x18\0\0\0\0\0\0\0\xa3\x7f\x4b\x22"s);
  EXPECT_EQ(file.substr(12, version.size()), version);
  EXPECT_EQ(file.substr(file.size() - 20, 16), "\x09\0\0\0\0\0\0\xf0\x3f\x22\x05graph"s);
}

}  // namespace
}  // namespace tensorflow
