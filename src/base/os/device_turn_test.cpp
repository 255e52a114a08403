#include "base/os/device_turn.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

namespace polygraphy {
namespace {

class DeviceTurnTest : public ::testing::Test {
 protected:
  ~DeviceTurnTest() override { ::unlink(("/tmp/polygraphy-turn-" + device_ + ".lock").c_str()); }
  const std::string device_ = "test-" + std::to_string(::getpid());
};

TEST_F(DeviceTurnTest, OneAtATimeHasTheDevice) {
  std::atomic<int> present = 0, most = 0;
  const auto use = [&] {
    for (int i = 0; i < 20; ++i) {
      const DeviceTurn turn(device_);
      most = std::max<int>(most, ++present);
      std::this_thread::yield();
      --present;
    }
  };
  {
    const std::jthread first(use), second(use), third(use);
  }
  EXPECT_EQ(most, 1);
}

TEST_F(DeviceTurnTest, DevicesDoNotWaitForEachOther) {
  const DeviceTurn one(device_);
  const std::string other = device_ + "-other";
  const DeviceTurn two(other);
  ::unlink(("/tmp/polygraphy-turn-" + other + ".lock").c_str());
}

TEST_F(DeviceTurnTest, WaitingIsInterrupted) {
  const DeviceTurn turn(device_);
  const std::atomic<bool> cancelled = true;
  EXPECT_THROW(DeviceTurn(device_, cancelled), Interrupted);
}

}  // namespace
}  // namespace polygraphy
