// Cases of the contract in a separate process (contract_process.h).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/cancel.h"
#include "base/os/child_process.h"
#include "base/os/scratch_folder.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/worker/worker_message.h"

namespace polygraphy::contract {

// One process runs case after case, until one of them makes it crash: the next gets a new one.
class ContractClient {
 public:
  // `program`: polygraphy itself. `seconds`: that a case may take.
  ContractClient(std::string program, PluginPaths paths, std::string backend, double seconds,
                 CancelToken cancel);
  ~ContractClient();
  ContractClient(const ContractClient&) = delete;
  ContractClient& operator=(const ContractClient&) = delete;

  // For the cases that need a model.
  void use_model(std::string path, std::string format) {
    model_ = std::move(path);
    format_ = std::move(format);
  }

  // Throws Interrupted; Error when there is no process to be had.
  CaseResult run(const Case& each);

 private:
  void start();
  void end() noexcept;
  // "crashed by SIGSEGV", and the last output.
  std::string account(const std::string& how) const;

  std::string program_;
  PluginPaths paths_;
  std::string backend_, model_, format_;
  double seconds_;
  CancelToken cancel_;
  ScratchFolder folder_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<WorkerSocket> socket_;
};

}  // namespace polygraphy::contract
