// The JSON Schemas of the documents that commands write.
#pragma once

#include <string>
#include <string_view>

namespace polygraphy {

// Of the document that the option --json or -o of a command ("debug locate") writes; for an empty
// text, of all documents, without a root. Throws Error, which names the commands, for another one.
std::string result_schema(std::string_view command);

}  // namespace polygraphy
