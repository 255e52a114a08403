#include "polygraphy/runtimes/contract/contract_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/glob.h"
#include "base/log_modules.h"
#include "base/os/child_process.h"
#include "base/os/scratch_folder.h"
#include "base/text.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/contract_process.h"
#include "polygraphy/runtimes/contract/exclusions.h"
#include "polygraphy/runtimes/worker/worker_message.h"
#include "polygraphy/runtimes/worker/worker_request.h"

namespace polygraphy::contract {
namespace {

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

  // Throws Interrupted; Error when no process can be started.
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

constexpr int kSocketInChild = 3;
constexpr double kSecondsToEnd = 10, kSecondsToClean = 0.5;
constexpr size_t kKeptOfStandardError = 16 << 10;

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

constexpr size_t kShownFailures = 5;  // of one case

std::string_view group_of(const Case& each) {
  return std::string_view(each.name).substr(0, each.name.find('/'));
}

// Without the function of a script: FILE.py:FUNCTION.
std::string file_of(const std::string& model) {
  const size_t function = model.rfind(".py:");
  return function == std::string::npos ? model : model.substr(0, function + 3);
}

std::string counts_text(const ContractReport& counts) {
  std::string text = fmt::format("{} passed", counts.passed);
  if (counts.excluded > 0) text += fmt::format(", {} excluded", counts.excluded);
  if (counts.failed > 0) text += fmt::format(", {} failed", counts.failed);
  return text;
}

std::string failure_text(const Case& each, const Judgement& judgement) {
  std::string text = "FAILED | " + each.name;
  const size_t shown = std::min(judgement.lines.size(), kShownFailures);
  for (size_t i = 0; i < shown; ++i) text += "\n" + indent(judgement.lines[i]);
  return text + and_more(judgement.lines.size(), shown, "\n    ");
}

class ContractChecker {
 public:
  ContractChecker(const ContractCheck& check, Logger& log) : check_(check), log_(log) {}

  ContractReport run() {
    const BackendCatalog catalog(check_.paths.plugin_dirs);
    for (const UnusablePlugin& plugin : catalog.unusable()) {
      if (plugin.name == check_.backend) throw Error(plugin.reason, plugin.remedy);
    }
    const BackendEntry& entry = catalog.get(check_.backend);
    introduce(entry);
    load_exclusions_of(entry);
    ContractClient client(check_.program, check_.paths, check_.backend, check_.seconds,
                          check_.cancel);
    if (!check_.model.empty()) {
      std::error_code failed;
      if (!std::filesystem::exists(file_of(check_.model), failed))
        throw Error(fmt::format("no model '{}'", check_.model), "Check its path.");
      client.use_model(check_.model,
                       format_to_check(*entry.options, check_.model, check_.model_type));
    }
    require_library(client);
    const std::vector<Case>& cases = all_cases();
    for (size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].needs_model && check_.model.empty()) {
        // Nothing is left out where nothing was brought.
      } else if (cases[i].applies(*entry.options)) {
        count(cases[i], client.run(cases[i]));
      } else {
        ++total_.left_out;
      }
      if (i + 1 == cases.size() || group_of(cases[i]) != group_of(cases[i + 1]))
        finish_group(group_of(cases[i]));
    }
    tell_of_left_out(*entry.options);
    tell_of_unused_exclusions();
    return total_;
  }

 private:
  void introduce(const BackendEntry& entry) {
    // Does not open the plugin, which only the cases do, in their process; a case checks its
    // description of itself.
    log_.info(
        log_modules::kBackends,
        fmt::format("Checking back end {} | Plugin: {} | Model types: {}", check_.backend,
                    entry.plugin.empty() ? "missing" : entry.plugin, formats_text(*entry.options)));
  }

  void load_exclusions_of(const BackendEntry& entry) {
    file_ = check_.exclusions;
    std::error_code none;
    if (file_.empty() && !entry.plugin.empty()) file_ = exclusions_beside(entry.plugin);
    if (check_.exclusions.empty() && !std::filesystem::exists(file_, none)) return;
    exclusions_ = load_exclusions(file_);
    log_.info(log_modules::kBackends,
              fmt::format("{} line(s) of exclusions from {}", exclusions_.size(), file_));
  }

  // Without it all cases would say the same.
  void require_library(ContractClient& client) {
    const CaseResult result = client.run(find_case(kOpeningCase));
    if (result.refusal.starts_with(check_.backend + " is not available: "))
      throw Error(result.refusal);
  }

  void count(const Case& each, const CaseResult& result) {
    using Kind = Judgement::Kind;
    const Exclusion* exclusion = exclusion_of(exclusions_, each.name);
    const Judgement judgement = judge(result, exclusion);
    if (judgement.kind == Kind::kFailed) {
      ++group_.failed;
      log_.error(log_modules::kBackends, failure_text(each, judgement));
      return;
    }
    ++(judgement.kind == Kind::kExcluded ? group_.excluded : group_.passed);
    if (judgement.kind != Kind::kStale) return;
    log_.warning(log_modules::kBackends,
                 fmt::format("{} passes, but '{}' ({}) excludes it: remove the line from {}",
                             each.name, exclusion->cases, exclusion->reason, file_));
  }

  void finish_group(std::string_view name) {
    const size_t cases = group_.passed + group_.excluded + group_.failed;
    if (cases > 0) {
      log_.info(log_modules::kBackends,
                fmt::format("{:<9} | {} case(s): {}", name, cases, counts_text(group_)));
    }
    total_.passed += group_.passed;
    total_.excluded += group_.excluded;
    total_.failed += group_.failed;
    group_ = {};
  }

  void tell_of_left_out(const pgb_backend_options& backend) {
    if (total_.left_out == 0) return;
    log_.info(log_modules::kBackends,
              takes_onnx(backend)
                  ? fmt::format("{} case(s) do not apply", total_.left_out)
                  : fmt::format("{} does not support ONNX models: {} case(s) do not apply",
                                check_.backend, total_.left_out));
  }

  void tell_of_unused_exclusions() {
    for (const Exclusion& exclusion : exclusions_) {
      const Glob pattern(exclusion.cases);
      const bool applies =
          std::any_of(all_cases().begin(), all_cases().end(),
                      [&](const Case& each) { return pattern.matches(each.name); });
      if (applies) continue;
      log_.warning(
          log_modules::kBackends,
          fmt::format("no case matches '{}': remove the line from {}", exclusion.cases, file_));
    }
  }

  const ContractCheck& check_;
  Logger& log_;
  std::string file_;
  std::vector<Exclusion> exclusions_;
  ContractReport group_, total_;
};

}  // namespace

std::string format_to_check(const pgb_backend_options& backend, const std::string& model,
                            const std::string& type) {
  if (!type.empty() && !takes_format(backend, type)) {
    throw Error(fmt::format("{} does not support models of type {}", backend.name, type),
                fmt::format("Supported: {}", formats_text(backend)));
  }
  if (!type.empty()) return type;
  std::string name = model;
  while (name.ends_with('/')) name.pop_back();
  name.erase(0, name.rfind('/') + 1);
  std::error_code failed;
  const bool is_folder = std::filesystem::is_directory(model, failed);
  for (size_t i = 0; i < backend.format_count; ++i) {
    if (is_named_by(backend.formats[i], name, is_folder)) return backend.formats[i].name;
  }
  if (is_folder && takes_format(backend, kSavedModelFormat)) {
    const std::string_view found = tensorflow_folder(model);
    return std::string(found.empty() ? kSavedModelFormat : found);
  }
  return backend.formats[0].name;
}

std::string exclusions_beside(const std::string& plugin) {
  const size_t dot = plugin.rfind('.');
  return plugin.substr(0, dot) + ".exclusions.txt";
}

ContractReport check_contract(const ContractCheck& check, Logger& log) {
  return ContractChecker(check, log).run();
}

}  // namespace polygraphy::contract
