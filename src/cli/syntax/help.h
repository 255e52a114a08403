// --help and usage texts, in argparse's layout, from the tables.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/syntax/command.h"
#include "cli/syntax/syntax.h"

namespace polygraphy::cli {

// "usage: polygraphy run [options] [model_file]\n"
std::string usage_text(const Syntax& syntax);

// Whether help leaves out the options of a back end; empty: of none.
using HidesBackend = std::function<bool(const pgb_backend_options& backend)>;

// kBrief, for -h: the names of the options instead of their explanations.
enum class HelpForm { kBrief, kWhole };

// Everything --help prints. `command` is null for the executable itself. Options that do nothing
// yet are left out; of those that `hides` leaves out, the last lines state numbers.
std::string help_text(const Syntax& syntax, const Command* command, int columns,
                      const HidesBackend& hides = {}, HelpForm form = HelpForm::kWhole);

// Whether help, completions and the man page show it.
bool is_listed(const Syntax::Entry& entry);

// "-n NUM_ITEMS, --num-items NUM_ITEMS": as argparse heads an entry, but with the values once.
std::string invocation(const Syntax::Entry& entry);

// `text` broken at blanks so that no line is longer than `width`; words that do not fit stand
// alone.
std::string wrapped(std::string_view text, size_t width, size_t indent);

}  // namespace polygraphy::cli
