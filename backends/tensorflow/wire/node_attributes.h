// The attributes of a node, as text.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tensorflow {

// Of an encoded NodeDef: name -> value. Values of tensors are left out. Throws pgb::Failure for a
// malformed message. O(size).
std::map<std::string, std::string> read_node_attributes(std::string_view node_def);

}  // namespace tensorflow
