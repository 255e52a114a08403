// Failures on demand.
#include <cmath>
#include <csignal>

#include "base/os/testdata/temporary_folder.h"
#include "checks/fixture.h"

namespace tensorrt_double {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kFail = "PG_TENSORRT_DOUBLE_FAIL";
constexpr const char* kTwo =
    "g (float[1] x) => (float[1] y) { [first] a = Neg(x) [second] y = Relu(a) }";

TEST_F(TensorRtDouble, BuildsFailForOneLayer) {
  ASSERT_TRUE(parse(kTwo));
  const Variable fail(kFail, "no-kernel:second");
  EXPECT_THAT(build(), IsEmpty());
  EXPECT_THAT(messages.errors,
              HasSubstr("Error Code 10: Internal Error (Could not find any implementation for node "
                        "second."));
}

TEST_F(TensorRtDouble, BuildsRunOutOfMemory) {
  ASSERT_TRUE(parse(kTwo));
  const Variable fail(kFail, "out-of-memory");
  EXPECT_THAT(build(), IsEmpty());
  EXPECT_THAT(messages.errors, HasSubstr("Error Code 2: OutOfMemory"));
}

TEST_F(TensorRtDouble, EverySecondBuildIsWrong) {
  ASSERT_TRUE(parse(kTwo));
  const polygraphy::TemporaryFolder folder;
  const Variable count("PG_TENSORRT_DOUBLE_BUILDS", folder / "builds");
  const Variable fail(kFail, "nan-on-second-build");
  EXPECT_EQ(run(*read(build()), {-1}, 1)[0], 1);
  std::unique_ptr<ITimingCache> cache(config->createTimingCache(nullptr, 0));
  config->setTimingCache(*cache, false);
  EXPECT_TRUE(std::isnan(run(*read(build()), {-1}, 1)[0]));
  // The cache knows the bad tactic, and a third build takes it from there.
  EXPECT_TRUE(std::isnan(run(*read(build()), {-1}, 1)[0]));
}

TEST_F(TensorRtDouble, BuildsCrash) {
  ASSERT_TRUE(parse(kTwo));
  const Variable fail(kFail, "crash");
  EXPECT_EXIT(build(), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(TensorRtDouble, NodesFailToParse) {
  const Variable fail(kFail, "enqueue,parse:second");
  EXPECT_FALSE(parse(kTwo));
  ASSERT_EQ(parser->getNbErrors(), 1);
  EXPECT_STREQ(parser->getError(0)->nodeName(), "second");
  EXPECT_THAT(parser->getError(0)->desc(), HasSubstr("Invalid Node - second"));
}

TEST_F(TensorRtDouble, InferencesFail) {
  ASSERT_TRUE(parse(kTwo));
  const auto engine = read(build());
  const std::unique_ptr<IExecutionContext> context(engine->createExecutionContext());
  const Variable fail(kFail, "enqueue");
  EXPECT_FALSE(context->enqueueV3(nullptr));
  EXPECT_THAT(messages.errors, HasSubstr("illegal memory access"));
}

class Recorder : public IErrorRecorder {
 public:
  int32_t getNbErrors() const noexcept override { return static_cast<int32_t>(texts.size()); }
  ErrorCode getErrorCode(int32_t) const noexcept override { return ErrorCode::kSUCCESS; }
  IErrorRecorder::ErrorDesc getErrorDesc(int32_t index) const noexcept override {
    return texts[static_cast<size_t>(index)].c_str();
  }
  bool hasOverflowed() const noexcept override { return false; }
  void clear() noexcept override { texts.clear(); }
  bool reportError(ErrorCode, ErrorDesc text) noexcept override {
    texts.emplace_back(text);
    return true;
  }
  RefCount incRefCount() noexcept override { return 1; }
  RefCount decRefCount() noexcept override { return 1; }
  std::vector<std::string> texts;
};

TEST_F(TensorRtDouble, ErrorsAreRecorded) {
  Recorder recorder;
  builder->setErrorRecorder(&recorder);
  EXPECT_THAT(build(), IsEmpty());
  ASSERT_EQ(recorder.getNbErrors(), 1);
  EXPECT_THAT(recorder.texts[0], HasSubstr("Network must have at least one output."));
}

}  // namespace
}  // namespace tensorrt_double
