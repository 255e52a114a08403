#include "polygraphy/runtimes/contract/contract_process.h"

#include "base/os/processes/this_process.h"
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/workbench.h"
#include "polygraphy/runtimes/worker/worker_message.h"
#include "polygraphy/runtimes/worker/worker_request.h"

namespace polygraphy::contract {
namespace {

CaseResult run(const WorkerMessage& message) {
  FieldReader fields(message.fields);
  const auto name = fields.get<std::string>();
  const auto backend = fields.get<std::string>();
  const auto model = fields.get<std::string>();
  const auto format = fields.get<std::string>();
  PluginPaths paths;
  fields.get(fields_of(paths));
  try {
    Workbench bench(paths, backend);
    bench.use_model(model, format);
    return run_case(find_case(name), bench);
  } catch (const std::exception& error) {
    return {.failures = {std::string("the case cannot be run: ") + error.what()}};
  }
}

}  // namespace

int run_contract_process(int number) {
  end_with_parent();
  WorkerSocket socket(number);
  while (const auto message = socket.wait_for_next()) {
    const CaseResult result = run(*message);
    FieldWriter answer;
    answer.put(result.failures);
    answer.put(result.refusal);
    if (!socket.send(WorkerTopic::kChecked, answer)) break;
  }
  return 0;
}

}  // namespace polygraphy::contract
