#include "polygraphy/model_tools/surgeon/weight_strip.h"

#include <string_view>
#include <utility>

#include "base/os/mapped_file.h"
#include "base/text.h"
#include "graphsurgeon/passes/weight_strip.h"

namespace polygraphy {

std::set<std::string> read_name_list(const std::string& path) {
  const auto file = MappedFile::open(path);
  const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()),
                              file->bytes().size());
  std::set<std::string> names;
  for (std::string_view line : split_lines(text)) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    if (!line.empty()) names.emplace(line);
  }
  return names;
}

graphsurgeon::Model weight_strip(const WeightStripOptions& options, Logger& log) {
  const auto model = load_original(options.files.model, log);
  graphsurgeon::strip_weights(*model, options.exclude, log);
  save_result(*model, options.files, log);
  return std::move(*model);
}

}  // namespace polygraphy
