#include "base/os/sockets/sockets.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "base/os/sockets/descriptor_socket.h"

namespace polygraphy {
namespace {

using For = Waiting::For;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(SocketsTest, WaitsForBytesForRoomAndForTheEnd) {
  DescriptorPair pipe = make_pipe();
  Waiting all[] = {{}, {pipe.ours.get()}};
  EXPECT_FALSE(wait_for_any(all, 0));
  ASSERT_EQ(write_all(pipe.theirs.get(), "x"), 0);
  EXPECT_TRUE(wait_for_any(all, kForEver));
  EXPECT_FALSE(all[0].ready);
  EXPECT_TRUE(all[1].ready);
  Waiting end{.fd = pipe.ours.get(), .what = For::kEnd};
  EXPECT_FALSE(wait_for_any({&end, 1}, 0));
  pipe.theirs.close();
  EXPECT_TRUE(wait_for_any({&end, 1}, kForEver));
}

TEST(SocketsTest, SendsAsMuchAsThereIsRoomFor) {
  DescriptorPair pair = make_socket_pair();
  never_wait(pair.ours.get());
  const std::string block(1 << 20, 'x');
  std::optional<size_t> sent = 1;
  for (int turn = 0; turn < 1000 && sent != 0u; ++turn)
    sent = send_once(pair.ours.get(), bytes_of(block));
  EXPECT_EQ(sent, 0u);
  Waiting room{.fd = pair.ours.get(), .what = For::kRoom};
  EXPECT_FALSE(wait_for_any({&room, 1}, 0));
  pair.theirs.close();
  EXPECT_EQ(send_once(pair.ours.get(), bytes_of(block)), std::nullopt);
}

TEST(SocketsTest, ListensOnAFreePortOfThisMachine) {
  const FileDescriptor listening = listen_on_this_machine(0, 1);
  ASSERT_TRUE(listening);
  EXPECT_GT(port_of(listening.get()), 0);
  EXPECT_FALSE(accept_once(listening.get()));
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_FALSE(listen_on_this_machine(static_cast<uint16_t>(port_of(listening.get())), 1));
  EXPECT_EQ(errno, EADDRINUSE);
}

TEST(DescriptorSocketTest, ClosesDescriptorsThatWereNotTaken) {
  DescriptorPair pipe = make_pipe(), pair = make_socket_pair();
  DescriptorSocket ours(pair.ours.release());
  {
    DescriptorSocket theirs(pair.theirs.release());
    ASSERT_TRUE(ours.send("he", "ad", pipe.theirs.get()));
    pipe.theirs.close();
    ASSERT_TRUE(ours.send("", "more", -1));
    ASSERT_TRUE(theirs.receive());
    EXPECT_EQ(theirs.received(), "headmore");
    Waiting end{.fd = pipe.ours.get(), .what = For::kEnd};
    EXPECT_FALSE(wait_for_any({&end, 1}, 0));  // `theirs` has the other end
  }
  EXPECT_TRUE(ours.hung_up());
  std::string rest(1, '?');
  EXPECT_EQ(read_once(pipe.ours.get(), std::as_writable_bytes(std::span(rest))), std::nullopt);
}

}  // namespace
}  // namespace polygraphy
