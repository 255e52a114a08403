// Reads the description of a network that a plugin returns (pgb_inspect.network).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// `backend`: for messages. Throws FormatError.
NetworkDescription read_network(std::string_view json, const std::string& backend);
// The same with the weights behind it (pgb_inspect.network_with_weights), which are views of the
// bytes that `owner` keeps.
NetworkDescription read_network_with_weights(std::string_view bytes,
                                             const std::shared_ptr<const void>& owner,
                                             const std::string& backend);
// Of a file with or without weights, which stay in it.
NetworkDescription read_network_file(const std::string& path, bool weights,
                                     const std::string& backend);

}  // namespace polygraphy
