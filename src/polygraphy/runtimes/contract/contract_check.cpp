#include "polygraphy/runtimes/contract/contract_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/glob.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/tensorflow/convert_tensorflow.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/contract/contract_client.h"
#include "polygraphy/runtimes/contract/exclusions.h"

namespace polygraphy::contract {
namespace {

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
