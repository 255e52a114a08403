// A group of options shared by several commands: one table per file under args/.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/syntax/option.h"
#include "polygraphy/backend.h"

namespace polygraphy::cli {

// Options of a group besides its table.
enum class FromBackends : uint8_t {
  kNothing,
  kRunnerFlags,  // the flag of every back end: --onnxrt
  kOptions,      // a group of options per back end, in place of this one
};

struct ArgGroup {
  std::string_view title;    // heading in --help
  std::string_view summary;  // one sentence under it
  std::span<const Option> options;
  FromBackends from_backends = FromBackends::kNothing;
  // Makes options of tables of the libraries, after the table of the group; null: it has none of
  // these. Texts that are put together for them lie in `texts`, which lives as long as the options.
  std::vector<Option> (*made_options)(std::span<const pgb_backend_options* const> backends,
                                      std::deque<std::string>& texts) = nullptr;
  bool lists_backends = false;  // made_options() reads `backends`
  bool of_messages = false;     // its options change messages only: jobs have none of them
  bool of_access = false;       // its options say what a command may do: jobs have none of them
};

// args_<stem> of each file in the folder.
#include <cli/args/all_groups.inc>  // generated: pg_kind() in cmake/polygraphy.cmake

// All of them, in file order.
std::span<const ArgGroup* const> arg_groups();

}  // namespace polygraphy::cli
