// Looks for the node that makes two runtimes differ, and writes a page for a browser about it.
#include <cstdio>
#include <fstream>
#include <string>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  pg::Logger log;  // without a sink: silent
  pg::LocateJob job{.model = {.path = "identity.onnx"}};
  job.reference = pg::parse_runner_spec("onnxrt");
  job.target = pg::parse_runner_spec("openvino");
  // Errors are held against those that the target's precision must have.
  job.format = pg::NumberFormat::kFloat32;

  pg::RunnerFactory factory(pg::tools_of_tree(), log);
  const pg::LocateResult result = pg::locate(job, factory, log);
  std::printf("%s\n", pg::locate_summary(result).c_str());
  for (const pg::NodeFinding& node : result.nodes)
    std::printf("%s: %s\n", node.node.c_str(), std::string(pg::name_of(node.verdict)).c_str());

  pg::ReportPage page{.title = "Which node is guilty", .sections = pg::locate_sections(result)};
  std::ofstream("locate.html") << pg::report_html(page);
  return result.clean() ? 0 : 1;
}
