// The plugin host with plugins and vendor libraries that are missing or no good: reasons, never
// crashes.
#include "polygraphy/runtimes/backend/plugin_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::contract {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class PluginHostTest : public testing::Test {
 protected:
  // Of opening onnxrt with these paths.
  std::string error(PluginPaths paths, const std::string& library = {}) {
    PluginHost host(std::move(paths), log_.log());
    return error_of([&] { host.open("onnxrt", library); });
  }
  std::string plugin_error(const std::string& variant) {
    return error({.plugin_dirs = {PG_BINARY_DIR "/tests/plugins/" + variant}});
  }
  std::string library_error(const std::string& library) { return error(test_paths(), library); }

  RecordingLog log_;
};

TEST_F(PluginHostTest, UnknownNamesAreAnsweredWithTheKnownOnes) {
  PluginHost host(test_paths(), log_.log());
  EXPECT_THAT(error_of([&] { host.open("abacus"); }),
              HasSubstr("unknown back end 'abacus'\nBack ends: "));
}

TEST_F(PluginHostTest, MissingPlugin) {
  EXPECT_THAT(error({.plugin_dirs = {"/nowhere", "/neither"}}),
              HasSubstr("onnxrt is not available: its plugin polygraphy_onnxrt.so is missing "
                        "(looked in: /nowhere, /neither)"));
}

TEST_F(PluginHostTest, PluginThatIsNoLibrary) {
  const TemporaryFolder folder;
  write(folder, "polygraphy_onnxrt.so", "text");
  EXPECT_THAT(error({.plugin_dirs = {folder.path()}}),
              AllOf(StartsWith("onnxrt is not available: "), HasSubstr("polygraphy_onnxrt.so")));
}

TEST_F(PluginHostTest, PluginsThatAreNoneOrOthers) {
  EXPECT_THAT(plugin_error("no_entry_point"),
              HasSubstr("is not a plugin: it has no polygraphy_backend()"));
  EXPECT_THAT(
      plugin_error("other_version"),
      HasSubstr("was built for another version of polygraphy's interface to back ends: this "
                "program has version " +
                std::to_string(PGB_ABI_VERSION)));
  EXPECT_THAT(plugin_error("other_name"), HasSubstr("is the plugin of 'something'"));
}

TEST_F(PluginHostTest, OneBackEndInTwoFoldersIsAnErrorThatNamesBothFiles) {
  const std::string one = PG_BINARY_DIR "/tests/plugins/unavailable";
  const std::string other = PG_BINARY_DIR "/tests/plugins/other_name";
  EXPECT_EQ(error({.plugin_dirs = {"/nowhere", one, other}}),
            "two plugins implement back end 'onnxrt': " + one + "/polygraphy_onnxrt.so and " +
                other + "/polygraphy_onnxrt.so\nRemove one of the files from its folder.");
  // One file by two ways is one file.
  EXPECT_THAT(error({.plugin_dirs = {one, one + "/../unavailable"}}), HasSubstr("it rains"));
}

TEST_F(PluginHostTest, ReasonOfThePluginAndRemedyOfTheTable) {
  EXPECT_THAT(plugin_error("unavailable"), AllOf(StartsWith("onnxrt is not available: it rains\n"),
                                                 HasSubstr("pip install onnxruntime")));
}

TEST_F(PluginHostTest, PluginsThatMisbehave) {
  PluginHost host({.plugin_dirs = {PG_BINARY_DIR "/tests/plugins/misbehaving"}}, log_.log());
  const std::shared_ptr<BackendInstance> instance = host.open("onnxrt");
  EXPECT_EQ(instance->info().library_path, "");
  EXPECT_EQ(error_of([&] { instance->load({.path = "silent"}, {}); }),
            "onnxrt failed, and reported no reason");
  EXPECT_EQ(error_of([&] { instance->load({.path = "option"}, {}); }),
            "--colour: there is no 'mauve'\nTry red.");
  EXPECT_THROW(instance->load({.path = "option"}, {}), OptionError);
  const std::unique_ptr<BackendSession> session = instance->load({.path = "fine"}, {});
  EXPECT_EQ(error_of([&] { session->infer({}); }),
            "output 'y': the runtime returned 4 bytes, but type float32 and shape need 32");
  EXPECT_EQ(error_of([&] { session->profile(); }), "onnxrt cannot time single nodes");
}

TEST_F(PluginHostTest, NamedLibrariesThatAreNoGood) {
  EXPECT_THAT(
      library_error("/nowhere/libonnxruntime.so"),
      AllOf(StartsWith(
                "onnxrt is not available: /nowhere/libonnxruntime.so: cannot open shared object"),
            HasSubstr("pip install onnxruntime")));
  EXPECT_THAT(
      library_error("libnever-heard-of.so.7"),
      HasSubstr("onnxrt is not available: no library libnever-heard-of.so.7 on this system"));
  EXPECT_THAT(library_error("libm.so.6"),
              HasSubstr("libm.so.6: not ONNX Runtime (it has no OrtGetApiBase)"));
  EXPECT_THAT(
      library_error(PG_BINARY_DIR "/tests/plugins/old/libonnxruntime.so"),
      AllOf(HasSubstr("ONNX Runtime 1.10.0"), HasSubstr("is too old: 1.17 or newer is needed")));
  const TemporaryFolder folder;
  EXPECT_THAT(library_error(write(folder, "libonnxruntime.so", "text")),
              HasSubstr("libonnxruntime.so: "));
  EXPECT_THAT(library_error(folder.path()), HasSubstr(folder.path()));
}

TEST_F(PluginHostTest, ALibraryOfTheEnvironmentIsTheOnlyOneTried) {
  PluginPaths paths = test_paths();
  paths.library_env = {{"onnxrt", "/nowhere/libonnxruntime.so"}};
  EXPECT_THAT(error(paths), AllOf(HasSubstr("/nowhere/libonnxruntime.so"),
                                  HasSubstr("POLYGRAPHY_ONNXRT_LIB names the library.")));
  // The option wins.
  EXPECT_THAT(error(paths, "libm.so.6"), HasSubstr("libm.so.6"));
}

TEST_F(PluginHostTest, UnusableCandidatesAreSteppedOver) {
  const TemporaryFolder site;
  write(site, "onnxruntime/capi/libonnxruntime.so.9.9", "text");
  PluginPaths paths = test_paths();
  paths.site_packages = {site.path()};
  EXPECT_EQ(error(paths), "no error");
}

TEST_F(PluginHostTest, StatusListsEveryBackEndWithReasons) {
  PluginPaths paths = test_paths();
  paths.library_env = {{"openvino", "libm.so.6"}};
  PluginHost host(paths, log_.log());
  const std::vector<BackendStatus> all = host.status();
  ASSERT_EQ(all.size(), backend_option_tables().size());
  const auto status_of = [&](std::string_view name) {
    return *std::find_if(all.begin(), all.end(),
                         [&](const auto& each) { return each.name == name; });
  };
  const BackendStatus onnxrt = status_of("onnxrt");
  EXPECT_TRUE(onnxrt.available) << onnxrt.reason;
  EXPECT_THAT(onnxrt.library_path, HasSubstr("libonnxruntime.so"));
  EXPECT_THAT(onnxrt.devices, HasSubstr("CPUExecutionProvider"));
  const BackendStatus openvino = status_of("openvino");
  EXPECT_FALSE(openvino.available);
  EXPECT_EQ(openvino.reason, "libm.so.6: not OpenVINO's C library (it has no ov_core_create)");
  EXPECT_THAT(openvino.remedy, HasSubstr("pip install openvino"));
}

TEST_F(PluginHostTest, SaysWhichLibraryItTook) {
  log_.log().set_severity(Severity::kVerbose);
  PluginHost host(test_paths(), log_.log());
  host.open("onnxrt");
  EXPECT_TRUE(log_.has("[V] Loaded Library: onnxrt | Version: 1."));
}

TEST_F(PluginHostTest, RunnersAreNamedByPrefixCountDateAndTime) {
  Bench bench("onnxrt");
  const std::string path = bench.file("g (float[1] x) => (float[1] y) { y = Neg (x) }");
  const auto first = bench.runner({.path = path});
  const auto second = bench.runner({.path = path});
  EXPECT_THAT(first->name(),
              testing::MatchesRegex(
                  "onnxrt-runner-N0-[0-9]{2}/[0-9]{2}/[0-9]{2}-[0-9]{2}:[0-9]{2}:[0-9]{2}"));
  EXPECT_THAT(second->name(), StartsWith("onnxrt-runner-N1-"));
}

}  // namespace
}  // namespace polygraphy::contract
