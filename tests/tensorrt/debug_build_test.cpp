// `debug build`.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "fixture.h"

namespace polygraphy::cli {
namespace {

TEST_F(TensorRt, BuildsUntilAnEngineIsWrong) {
  fail("nan-on-second-build");
  const std::string builds = folder_.path() + "/builds";
  setenv("PG_TENSORRT_DOUBLE_BUILDS", builds.c_str(), 1);
  const std::string engine = folder_.path() + "/debug.engine";
  const Outcome seen =
      run({"debug", "build", model(kSum), "--until", "bad", "--iter-artifact", engine, "--check",
           PG_POLYGRAPHY, "run", engine, "--trt", "--validate", "--trt-lib", double_of("10"),
           "--trt-driver", PG_DOUBLES "/libcuda.so.1"});
  unsetenv("PG_TENSORRT_DOUBLE_BUILDS");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("Finished 2 iteration(s) | Passed: 1/2"),
                              Not(HasSubstr("debug replay"))))
      << seen.err;
}

TEST_F(TensorRt, ABuildThatFailsIsARoundThatFails) {
  fail("no-kernel");
  const Outcome seen = run({"debug", "build", model(kSum), "--until", "2", "--check", "true"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, AllOf(HasSubstr("Failed to create network or engine, continuing to the "
                                        "next iteration."),
                              HasSubstr("Finished 2 iteration(s) | Passed: 0/2"),
                              Not(HasSubstr("Could not clean up"))));
}

// Names of files, without the time in them.
std::vector<std::string> sorted_files(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    std::string name = entry.path().string().substr(folder.size());
    const size_t number = name.find("_N");
    if (entry.is_regular_file())
      names.push_back(name.substr(0, name.find('_')) + name.substr(number));
  }
  std::ranges::sort(names);
  return names;
}

TEST_F(TensorRt, BuildsSideBySideLeaveWhatOneAtATimeLeaves) {
  const auto run_on = [&](const std::string& name, std::vector<std::string> on) {
    const std::string folder = folder_.path() + "/" + name;
    std::filesystem::create_directory(folder);
    const std::string tactics = folder_.path() + "/tactics.json";
    const std::string timings = folder_.path() + "/timings.cache";
    std::vector<std::string> args = {"debug", "build", model(kSum), "--until", "5"};
    args.insert(args.end(), {"--iter-artifact", folder + ".eng", "--art-dir", folder});
    args.insert(args.end(), {"--save-tactics", tactics, "--save-timing-cache", timings});
    args.insert(args.end(), {"--artifacts", tactics, timings, folder + ".eng"});
    args.insert(args.end(), on.begin(), on.end());
    args.insert(args.end(), {"--check", "test -s {model}"});
    const Outcome seen = run(args);
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("Finished 5 iteration(s) | Passed: 5/5")) << seen.err;
    EXPECT_FALSE(std::filesystem::exists(tactics));
    return sorted_files(folder);
  };
  const auto one = run_on("one", {});
  EXPECT_EQ(one.size(), 15u);
  const auto renamed = [](std::vector<std::string> names, const std::string& from) {
    for (std::string& name : names) {
      if (const size_t at = name.find(from); at != name.npos) name.replace(at, from.size(), "one");
    }
    std::ranges::sort(names);
    return names;
  };
  EXPECT_EQ(renamed(run_on("local", {"--on", "local:3"}), "local"), one);
  EXPECT_EQ(renamed(run_on("jobs", {"-j", "2"}), "jobs"), one);
}

TEST_F(TensorRt, AFileOfEveryCheckIsNoArtifactOfBuildsSideBySide) {
  const Outcome seen = run({"debug", "build", model(kSum), "--until", "2", "--on", "local:2",
                            "--artifacts", "mine.txt", "--check", "true {model}"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("not mine.txt, which all checks write"));
}

}  // namespace
}  // namespace polygraphy::cli
