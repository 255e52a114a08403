#include "polygraphy/runtimes/contract/contract_client.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "polygraphy/runtimes/contract/contract_process.h"
#include "polygraphy/runtimes/worker/worker_request.h"

namespace polygraphy::contract {
namespace {

constexpr int kSocketInChild = 3;
constexpr double kSecondsToEnd = 10, kSecondsToClean = 0.5;
constexpr size_t kKeptOfStandardError = 16 << 10;

}  // namespace

ContractClient::ContractClient(std::string program, PluginPaths paths, std::string backend,
                               double seconds, CancelToken cancel)
    : program_(std::move(program)),
      paths_(std::move(paths)),
      backend_(std::move(backend)),
      seconds_(seconds),
      cancel_(cancel),
      folder_(temporary_folder() + "/.polygraphy-contract-") {}

ContractClient::~ContractClient() {
  end();
}

void ContractClient::start() {
  const auto [ours, theirs] = WorkerSocket::make_pair();
  socket_ = std::make_unique<WorkerSocket>(ours);
  const WorkerSocket closed_here(theirs);
  child_ = std::make_unique<ChildProcess>(ChildOptions{
      .argv = {program_, std::string(kContractProcess), std::to_string(kSocketInChild)},
      // Files that a crashed case leaves behind are removed with this object.
      .environment = {{"TMPDIR", folder_.path()}},
      .descriptors = {{theirs, kSocketInChild}},
      .out = ChildStream::null(),
      .err = ChildStream::capture(kKeptOfStandardError, ChildStream::Keep::kLast)});
}

// By SIGTERM, on which the process removes its files.
void ContractClient::end() noexcept {
  try {
    if (child_) child_->kill(kSecondsToClean);
  } catch (const Error&) {
    // The destructor kills it, too.
  }
  socket_.reset();
  child_.reset();
}

std::string ContractClient::account(const std::string& how) const {
  const std::string_view printed = strip(child_->err().text);
  const size_t last = printed.rfind('\n');
  const std::string_view words =
      last == std::string_view::npos ? printed : printed.substr(last + 1);
  return words.empty() ? how : fmt::format("{}; its last words: {}", how, words);
}

CaseResult ContractClient::run(const Case& each) {
  if (!child_) start();
  FieldWriter request;
  request.put(each.name);
  request.put(backend_);
  request.put(model_);
  request.put(format_);
  request.put(fields_of(paths_));
  socket_->send(WorkerTopic::kCheck, request);
  const double deadline = seconds_now() + seconds_;
  CaseResult result;
  try {
    while (true) {
      if (const auto answer = socket_->next()) {
        FieldReader fields(answer->fields);
        fields.get(result.failures);
        fields.get(result.refusal);
        return result;
      }
      using Event = ChildProcess::Event;
      const Event event = child_->wait_readable(socket_->fd(), deadline - seconds_now(), cancel_);
      if (event == Event::kTimeIsUp) {
        child_->kill(kSecondsToClean);
        result.crash = account(fmt::format("it exceeded {} s, and was killed", seconds_));
        break;
      }
      if (!socket_->receive() || event == Event::kEnded) {
        if (const auto left = socket_->next()) {
          FieldReader fields(left->fields);
          fields.get(result.failures);
          fields.get(result.refusal);
        } else {
          const auto status = child_->wait(kSecondsToEnd);
          result.crash = account("its process " + to_text(status ? *status : child_->kill(0)));
        }
        break;
      }
    }
  } catch (const Interrupted&) {
    end();
    throw;
  }
  end();
  return result;
}

}  // namespace polygraphy::contract
