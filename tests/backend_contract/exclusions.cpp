// The back ends, and what each does not do.
#include <fstream>

#include "base/error.h"
#include "base/text.h"
#include "bench.h"
#include "contract.h"
#include "polygraphy/backend/backend_catalog.h"

namespace polygraphy::contract {
namespace {

Exclusion parse(const std::string& line, const std::string& file) {
  const auto cells = split(line, '|');
  const std::string how = cells.size() == 3 ? std::string(strip(cells[1])) : "";
  if (how != "unsupported" && how != "wrong") {
    throw Error(file + ": expected 'pattern | unsupported or wrong | reason', found: " + line);
  }
  return {std::string(strip(cells[0])),
          how == "wrong" ? Deviation::kWrong : Deviation::kUnsupported,
          std::string(strip(cells[2]))};
}

std::vector<Exclusion> exclusions_of(const std::string& name) {
  const std::string path = PG_SOURCE_DIR "/backends/" + name + "/contract/exclusions.txt";
  std::vector<Exclusion> exclusions;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.front() != '#') exclusions.push_back(parse(line, path));
  }
  return exclusions;
}

}  // namespace

std::vector<BackEnd> back_ends() {
  std::vector<BackEnd> found;
  const BackendCatalog catalog(test_paths().plugin_dirs);
  for (const BackendEntry& entry : catalog.entries()) {
    // The suite's models are ONNX.
    if (entry.plugin.empty() || !takes_format(*entry.options, "onnx")) continue;
    found.push_back({entry.options->name, exclusions_of(entry.options->name)});
  }
  return found;
}

}  // namespace polygraphy::contract
