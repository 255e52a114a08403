#include "cli/distribution/worst_samples.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/log_modules.h"
#include "cli/driver.h"
#include "cli/syntax/exit_codes.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

using log_modules::kTasks;

void save_worst_samples(Session& session, const RunRecord& record, const std::string& tasks,
                        const std::vector<std::string>& words) {
  const auto count = session.args().integer("--worst-samples");
  if (!count) return;
  for (const int64_t number : worst_samples(record, *count)) {
    const std::string folder = fmt::format("{}/worst/sample-{}", tasks, number);
    std::filesystem::create_directories(folder);
    std::vector<std::string> argv = {session.env().executable};
    argv.insert(argv.end(), words.begin(), words.end());
    argv.insert(argv.end(),
                {"--samples", std::to_string(number), "--save-inputs", folder + "/inputs.json",
                 "--save-outputs", folder + "/outputs.json", "--silent"});
    Environment again = session.env();
    const int code = run_command_line(again, argv);
    if (code == kAgrees || code == kDiffers) {
      session.log().info(kTasks, fmt::format("Tensors of sample {}: {}", number, folder));
    } else {
      session.log().warning(
          kTasks, fmt::format("Sample {} did not run on this machine (exit code {}): its tensors "
                              "are not saved",
                              number, code));
    }
  }
}

}  // namespace polygraphy::cli
