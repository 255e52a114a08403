// `polygraphy surgeon weight-strip`.
#include <set>

#include "base/os/mapped_file.h"
#include "base/text.h"
#include "cli/args/logging.h"
#include "cli/args/onnx_loading.h"
#include "cli/surgery.h"
#include "cli/syntax/command.h"
#include "graphsurgeon/passes/weight_strip.h"

namespace polygraphy::cli {
namespace {

constexpr GroupUse kGroups[] = {
    {&args_logging},
    {&args_required_model, "model_file"},
    {&args_onnx_loading, kLoadingOptions},
    {&args_onnx_saving, kSavingOptions},
};

constexpr Option kOptions[] = {
    {.spellings = "--exclude-list",
     .help = "A text file with names of initializers, one per line, that keep their values.",
     .type = ValueType::kPath},
};

std::set<std::string> read_names(const std::string& path) {
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

int run(Session& session) {
  Surgery surgery(session);
  std::set<std::string> exclude;
  if (const auto list = session.args().text("--exclude-list")) {
    exclude = read_names(session.env().path(*list));
  }
  session.announce();
  graphsurgeon::strip_weights(surgery.load(), exclude, session.log());
  return surgery.save();
}

}  // namespace

extern const Command command_surgeon_weight_strip;
constinit const Command command_surgeon_weight_strip = {
    .path = "surgeon weight-strip",
    .summary = "Remove the values of the weights.",
    .description =
        "Take the values out of a model's weights and keep its structure. `surgeon "
        "weight-reconstruct` fills it with made-up values again. Fold the model's constants first, "
        "so that all weights are found.",
    .order = 4,
    .groups = kGroups,
    .options = kOptions,
    .announces = true,
    .run = run,
};

}  // namespace polygraphy::cli
