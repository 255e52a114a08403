// Networks without faults have no findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "locate_bench.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"

namespace polygraphy {
namespace {

std::vector<ArrayMap> samples_of(const SmallNetwork& network, int64_t count) {
  std::vector<ArrayMap> samples;
  for (int64_t i = 0; i < count; ++i) samples.push_back(network.feed(i));
  return samples;
}

class HealthyNetworks : public testing::TestWithParam<SmallNetwork> {};

TEST_P(HealthyNetworks, InAnEmulatedFormat) {
  const SmallNetwork& network = GetParam();
  const graphsurgeon::Model model = network.make();
  const std::vector<ArrayMap> samples = samples_of(network, 2);
  for (const NumberFormat format :
       {NumberFormat::kFloat32, NumberFormat::kFloat16, NumberFormat::kBfloat16}) {
    Logger log;
    const LocateResult result = locate(faulty_job(model, samples, {}, format), log);
    EXPECT_EQ(result.guilty(), nullptr);
    // The numbers of a format may be too coarse for a network.
    EXPECT_NE(result.verdict.agreement, Agreement::kDiffers) << name_of(format) << "\n"
                                                             << locate_summary(result) << "\n"
                                                             << locate_table(result, 4);
  }
}

TEST_P(HealthyNetworks, OnOpenVino) {
  const SmallNetwork& network = GetParam();
  const graphsurgeon::Model model = network.make();
  const std::vector<ArrayMap> samples = samples_of(network, 1);
  Logger log;
  const std::pair<NumberFormat, const char*> formats[] = {{NumberFormat::kFloat32, "f32"},
                                                          {NumberFormat::kFloat16, "f16"},
                                                          {NumberFormat::kBfloat16, "bf16"}};
  for (const auto& [format, precision] : formats) {
    FaultyJob job = faulty_job(model, samples, {}, {});
    job.format = format;
    job.ask_format = true;  // it may have no instructions for that one
    job.target = RunnerSpec{.backend = "openvino",
                            .session = {.options = {{"precision", {precision}}}},
                            .name = "openvino"};
    try {
      const LocateResult result = locate(job, log);
      EXPECT_TRUE(result.clean()) << precision << "\n"
                                  << locate_summary(result) << "\n"
                                  << locate_table(result, 4);
    } catch (const RunnerFailure& failure) {
      GTEST_SKIP() << failure.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, HealthyNetworks, testing::ValuesIn(small_networks()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace polygraphy
