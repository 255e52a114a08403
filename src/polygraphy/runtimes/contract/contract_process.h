// The other side of ContractClient: cases of the contract in a separate process, so that a
// plugin that crashes or hangs is a failed case.
#pragma once

#include <string_view>

namespace polygraphy::contract {

// The executable's only argument but for the number of the socket, as its own process sees it:
// `polygraphy --contract-process 3`.
inline constexpr std::string_view kContractProcess = "--contract-process";

// Runs the cases that arrive on the socket until the other side closes it. Returns the exit code of
// the process.
int run_contract_process(int socket);

}  // namespace polygraphy::contract
