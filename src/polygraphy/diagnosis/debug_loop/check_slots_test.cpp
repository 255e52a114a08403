#include "polygraphy/diagnosis/debug_loop/check_slots.h"

#include <gmock/gmock.h>

#include <functional>
#include <thread>

#include "base/error.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

// A check that is a function of the file's name and of the flag that stops it.
class FunctionCheck : public Check {
 public:
  using Function = std::function<CheckResult(const std::string&, CancelToken, Logger&)>;
  FunctionCheck(Function function, CancelToken cancel, Logger& log)
      : function_(std::move(function)), cancel_(cancel), log_(log) {}
  CheckResult run(const std::string& artifact) override {
    return function_(artifact, cancel_, log_);
  }

 private:
  Function function_;
  CancelToken cancel_;
  Logger& log_;
};

MakeCheck maker(FunctionCheck::Function function) {
  return [function](Logger& log, CancelToken cancel) {
    return std::make_unique<FunctionCheck>(function, cancel, log);
  };
}

CheckSlots::Outcome wait_for(CheckSlots& slots, int slot) {
  while (true) {
    if (auto outcome = slots.take(slot)) return std::move(*outcome);
    slots.wait(1);
  }
}

CheckResult until_stopped(const std::string&, CancelToken cancel, Logger&) {
  while (!cancel.cancelled()) std::this_thread::yield();
  throw Interrupted();
}

TEST(CheckSlotsTest, ChecksRunAtTheSameTime) {
  // Each waits until both are there.
  std::atomic<int> there = 0;
  CheckSlots slots(maker([&](const std::string& file, CancelToken, Logger&) {
                     for (++there; there < 2;) std::this_thread::yield();
                     return CheckResult{.passed = file == "a"};
                   }),
                   2, Logger());
  slots.start(0, "a");
  EXPECT_EQ(slots.free_slot(), 1);
  slots.start(1, "b");
  EXPECT_TRUE(wait_for(slots, 0).verdict.passed);
  EXPECT_FALSE(wait_for(slots, 1).verdict.passed);
  EXPECT_EQ(slots.free_slot(), 0);
}

TEST(CheckSlotsTest, MessagesComeWithTheVerdict) {
  CheckSlots slots(maker([](const std::string& file, CancelToken, Logger& log) {
                     const Logger::Indent indent(log);
                     log.info("module", "looking at " + file);
                     log.verbose("module", "not to be seen");
                     return CheckResult{};
                   }),
                   1, Logger());
  slots.start(0, "a");
  const CheckSlots::Outcome outcome = wait_for(slots, 0);
  std::vector<std::string> shown;
  Logger log([&](Severity, std::string_view text) { shown.emplace_back(text); });
  log_kept(outcome.messages, log);
  EXPECT_THAT(shown, ElementsAre("[I]     looking at a"));
}

TEST(CheckSlotsTest, OneIsStoppedAndTheOtherGoesOn) {
  std::atomic<bool> go = false;
  CheckSlots slots(maker([&](const std::string& file, CancelToken cancel, Logger& log) {
                     if (file == "endless") return until_stopped(file, cancel, log);
                     while (!go) std::this_thread::yield();
                     return CheckResult{.passed = true};
                   }),
                   2, Logger());
  slots.start(0, "endless");
  slots.start(1, "other");
  slots.stop(0);
  EXPECT_EQ(slots.free_slot(), 0);
  go = true;
  slots.start(0, "next");
  EXPECT_TRUE(wait_for(slots, 1).verdict.passed);
  EXPECT_TRUE(wait_for(slots, 0).verdict.passed);
}

TEST(CheckSlotsTest, NobodyWaitsForWhatRunsAtTheEnd) {
  CheckSlots slots(maker(until_stopped), 2, Logger());
  slots.start(0, "a");
  slots.start(1, "b");
}

TEST(CheckSlotsTest, ErrorsAreHandedOver) {
  CheckSlots slots(maker([](const std::string&, CancelToken, Logger&) -> CheckResult {
                     throw Error("no such program");
                   }),
                   1, Logger());
  slots.start(0, "a");
  EXPECT_THROW(std::rethrow_exception(wait_for(slots, 0).error), Error);

  CheckSlots none(
      [](Logger&, CancelToken) -> std::unique_ptr<Check> { throw Error("no such check"); }, 1,
      Logger());
  EXPECT_THROW(none.start(0, "a"), Error);
}

}  // namespace
}  // namespace polygraphy
