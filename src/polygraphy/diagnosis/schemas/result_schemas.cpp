#include "polygraphy/diagnosis/schemas/result_schemas.h"

#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "formats/record_schema.h"
#include "polygraphy/comparison/benchmark/benchmark.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_document.h"
#include "polygraphy/comparison/compare/report/comparison_document.h"
#include "polygraphy/diagnosis/autotune/report_text.h"
#include "polygraphy/diagnosis/consistency/consistency.h"
#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/diagnosis/precision/find_precision.h"
#include "polygraphy/diagnosis/reduce/reduction_document.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"
#include "polygraphy/diagnosis/zoo/zoo_result.h"
#include "polygraphy/model_tools/inspect/diff_json.h"
#include "polygraphy/model_tools/lint/lint.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {
namespace {

struct Document {
  std::string_view command;
  std::string_view (*add)(RecordSchemas& schemas);
};

template <typename T>
std::string_view add(RecordSchemas& schemas) {
  return schemas.add<T>();
}

// By command.
constexpr Document kDocuments[] = {
    {"check accuracy", add<AccuracyDocument>},
    {"check consistency", add<ConsistencyResult>},
    {"check lint", add<LintResult>},
    {"debug locate", add<LocateResult>},
    {"debug reduce", add<ReduceResult>},
    {"debug sensitivity", add<SensitivityResult>},
    {"run", add<RunDocument>},
    {"run benchmark", add<BenchmarkReport>},
    {"surgeon diff", add<DiffDocument>},
    {"zoo", add<ZooResult>},
    // In Python only.
    {"", add<AutotuneReport>},
    {"", add<Capability>},
    {"", add<PrecisionResult>},
};

}  // namespace

std::string result_schema(std::string_view command) {
  RecordSchemas schemas;
  std::vector<std::string_view> commands;
  for (const Document& document : kDocuments) {
    if (command.empty()) {
      document.add(schemas);
    } else if (document.command == command) {
      return schemas.json(document.add(schemas));
    } else if (!document.command.empty()) {
      commands.push_back(document.command);
    }
  }
  if (command.empty()) return schemas.json("");
  throw Error("'" + std::string(command) + "' has no schema of its results",
              "These commands have one: " + join(commands, ", "));
}

}  // namespace polygraphy
