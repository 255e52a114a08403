// Options of the logger.
#pragma once

#include "base/log.h"
#include "cli/session/environment.h"
#include "cli/session/message_sink.h"
#include "cli/syntax/parser.h"

namespace polygraphy::cli {

// Thresholds, prefixes, colours and the log file. `outer` holds what was typed before the leaf
// command
// (`polygraphy inspect -v model x`); it may be null. Throws Error for an unknown severity or a log
// file that cannot be opened.
void apply_logging(const ParsedArgs& args, const ParsedArgs* outer, const Environment& env,
                   MessageSink& sink, Logger& log);

}  // namespace polygraphy::cli
