#include "cli/syntax/arg_group.h"

#include "pictures/report_page/report_form.h"

namespace polygraphy::cli {
namespace {

std::vector<Option> make_options(std::span<const pgb_backend_options* const>,
                                 std::deque<std::string>&) {
  std::vector<Option> options;
  for (const ReportForm* form : report_forms()) {
    if (form->option.empty()) continue;
    options.push_back({.spellings = form->option,
                       .help = form->help,
                       .type = form->files ? ValueType::kFolder : ValueType::kText,
                       .files = FileUse::kWritten,
                       .metavar = form->files ? "FOLDER" : "FILE",
                       .origin = Origin::kOurs});
  }
  options.push_back(
      {.spellings = "--annotated-model",
       .help = "Write a copy of the ONNX model with verdicts and figures in the metadata of its "
               "nodes, which Netron shows.",
       .files = FileUse::kWritten,
       .metavar = "FILE",
       .origin = Origin::kOurs});
  return options;
}

}  // namespace

extern constinit const ArgGroup args_report_forms = {
    .title = "Reports",
    .summary = "The results for a browser and for CI.",
    .options = {},
    .made_options = make_options};

}  // namespace polygraphy::cli
