#include "polygraphy/model_tools/codegen/trt_templates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;
using testing::Not;

TrtScript half_with_a_profile() {
  TrtScript script;
  script.config.arguments = {{"fp16", {}}, {"tactic_sources", {"cudnn"}}};
  script.config.profiles = {{{"x", {{{1, 3}, {2, 3}, {8, 3}}}}}};
  return script;
}

TEST(TrtConfigScript, ExtendsTheConfiguration) {
  EXPECT_THAT(trt_config_script(half_with_a_profile(), {}, "polygraphy template trt-config"),
              HasSubstr(R"(
# Loaders
profiles = [
    Profile().add('x', min=[1, 3], opt=[2, 3], max=[8, 3]),
]
create_trt_config = CreateTrtConfig(profiles=profiles, fp16=True, tactic_sources=[trt.TacticSource.CUDNN])

@func.extend(create_trt_config)
def load_config(builder, network, config):
)"));
}

TEST(TrtConfigScript, HasNoArgumentThatTheOriginalLacks) {
  TrtScript script;
  script.config.arguments = {{"fp61", {}}};
  EXPECT_THROW(trt_config_script(script, {}, ""), Error);
}

TEST(TrtNetworkScript, StartsFromAModelOrFromNothing) {
  TrtScript script;
  script.network.outputs = {"y"};
  OnnxLoaderOptions model;
  model.source.path = "m.onnx";
  model.source.outputs = {"of another runtime"};
  const std::string text = trt_network_script(model, script, "");
  EXPECT_THAT(text, HasSubstr(R"(
parse_network_from_onnx = NetworkFromOnnxPath('m.onnx')
set_network_outputs = ModifyNetworkOutputs(parse_network_from_onnx, outputs=['y'])

@func.extend(set_network_outputs)
def load_network(builder, network, parser):
)"));
  EXPECT_THAT(text, Not(HasSubstr("of another runtime")));
  EXPECT_THAT(trt_network_script(std::nullopt, script, ""), HasSubstr(R"(
@func.extend(CreateNetwork())
def load_network(builder, network):
)"));
}

TEST(TrtLoaders, PluginsAreLoadedOnceForEachThatNeedsThem) {
  TrtScript script;
  script.network.plugins = {"p.so"};
  script.engine.path = "e.engine";
  PythonImports imports;
  LoaderLines lines;
  TrtLoaders loaders(script, imports, lines, {});
  EXPECT_EQ(loaders.runner(loaders.engine({})), "TrtRunner(deserialize_engine)");
  EXPECT_EQ(lines.text(),
            "load_engine_bytes = BytesFromPath('e.engine')\n"
            "load_plugins = LoadPlugins(plugins=['p.so'], obj=load_engine_bytes)\n"
            "deserialize_engine = EngineFromBytes(load_plugins)\n");
}

}  // namespace
}  // namespace polygraphy
