// Looks for the node that makes two runtimes differ, and writes a page for a browser about it.
#include <cstdio>
#include <fstream>
#include <string>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  pg::Logger log;  // without a sink: silent
  pg::LocateJob job{.model = {.path = "identity.onnx"}};
  job.reference = {.name = "onnxrt", .make_runner = pg::runner_maker("onnxrt")};
  job.target = {.name = "openvino", .make_runner = pg::runner_maker("openvino")};
  // Errors are held against those that the target's precision must have. They are computed by a
  // runtime that changes nothing about the model.
  job.format = pg::NumberFormat::kFloat32;
  job.make_noise_runner =
      pg::runner_maker("onnxrt", {.options = {{"graph_optimization_level", {"ORT_DISABLE_ALL"}}}});

  const pg::LocateResult result = pg::locate(job, log);
  std::printf("%s\n", pg::locate_summary(result).c_str());
  for (const pg::NodeFinding& node : result.nodes)
    std::printf("%s: %s\n", node.node.c_str(), std::string(pg::name_of(node.verdict)).c_str());

  pg::ReportPage page{.title = "Which node is guilty", .sections = pg::locate_sections(result)};
  std::ofstream("locate.html") << pg::report_html(page);
  return result.clean() ? 0 : 1;
}
