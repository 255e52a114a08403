#include "common/python/messages.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "common/python/values.h"

namespace pgb::python {
namespace {

MessageReader read_back(const MessageWriter& written) {
  return MessageReader(written.data());
}

TEST(Messages, AreReadAsTheyAreWritten) {
  MessageWriter written("infer");
  written.number(-3);
  const int64_t shape[] = {2, 0, 5};
  written.numbers(shape, 3);
  written.text("");
  MessageReader message = read_back(written);
  EXPECT_EQ(message.text(), "infer");
  EXPECT_EQ(message.number(), -3);
  EXPECT_EQ(message.numbers(), (std::vector<int64_t>{2, 0, 5}));
  EXPECT_EQ(message.text(), "");
}

TEST(Messages, ThatEndEarlyAreRefused) {
  MessageWriter written("ok");
  written.text("a name");
  const std::string whole = written.data();
  for (size_t length = 0; length < whole.size(); ++length) {
    MessageReader message(whole.substr(0, length));
    EXPECT_THROW(
        {
          message.text();
          message.text();
        },
        Failure)
        << length;
  }
}

// A count that no message can hold must not become an allocation.
TEST(Messages, ThatPromiseTooMuchAreRefused) {
  for (const int64_t count : {int64_t{-1}, int64_t{1} << 60, int64_t{3}}) {
    MessageWriter written("");
    written.number(count);
    written.number(7);
    written.number(7);
    MessageReader message = read_back(written);
    message.text();
    EXPECT_THROW(message.numbers(), Failure) << count;
  }
}

TEST(Ports, OfAnyRankAreRead) {
  MessageWriter written("");
  written.number(2);
  written.text("x");
  for (const int64_t each : {1, 10, 2, -1}) written.number(each);  // a dimension that has a name
  written.text("batch");
  written.number(3);
  written.text("");
  written.text("y");
  for (const int64_t each : {1, 0, -1}) written.number(each);
  MessageReader message = read_back(written);
  message.text();
  const auto ports = read_ports(message);
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].info.rank, 2);
  EXPECT_EQ(ports[0].info.dims[0], -1);
  EXPECT_STREQ(ports[0].info.dim_names[0], "batch");
  EXPECT_EQ(ports[0].info.dims[1], 3);
  EXPECT_EQ(ports[1].info.rank, -1);
}

// Memory with eight bytes in it.
class Outputs : public testing::Test {
 protected:
  ~Outputs() override { OutputMemory::release(memory_); }
  static OutputMemory* make() {
    FeedMemory other;  // stands for the other process's
    other.reserve(8);
    return OutputMemory::map(dup(other.descriptor()), 8);
  }
  pgb_value read(int64_t at, int64_t bytes) {
    MessageWriter written("");
    for (const int64_t each : {int64_t{PGB_TENSOR}, int64_t{1}, int64_t{1}, bytes / 4, at, bytes})
      written.number(each);
    MessageReader message = read_back(written);
    message.text();
    return reader_.read(message);
  }
  OutputMemory* memory_ = make();
  OutputReader reader_{*memory_};
};

TEST_F(Outputs, LieWhereTheMessageSays) {
  const pgb_value value = read(4, 4);
  EXPECT_EQ(value.data, memory_->data() + 4);
  EXPECT_EQ(value.bytes, 4u);
  EXPECT_EQ(value.shape[0], 1);
}

TEST_F(Outputs, BeyondTheMemoryAreRefused) {
  EXPECT_THROW(read(8, 4), Failure);
  EXPECT_THROW(read(-4, 4), Failure);
  EXPECT_THROW(read(0, -4), Failure);
  EXPECT_THROW(read(4, INT64_MAX), Failure);
}

TEST_F(Outputs, AreKeptAsLongAsSomebodyRetainsThem) {
  const pgb_value value = read(0, 8);
  EXPECT_TRUE(memory_->has_one_owner());
  value.retain(value.owner);
  EXPECT_FALSE(memory_->has_one_owner());
  value.release(value.owner);
  EXPECT_TRUE(memory_->has_one_owner());
}

}  // namespace
}  // namespace pgb::python
