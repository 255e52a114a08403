// The JSON Schemas of the documents that commands write.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace polygraphy {

// "debug locate" ...: the commands whose documents have a schema, sorted.
std::span<const std::string_view> commands_with_schemas();
// Of the document that the command's option --json or -o writes; of all of them, without a root, for
// an empty text. Throws Error for another command. Constant time.
std::string result_schema(std::string_view command);

}  // namespace polygraphy
