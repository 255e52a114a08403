// The results of a run sample by sample: enough for its verdict, without any tensor. Records of
// parts of a run, in their order, join to the record of the whole run, however it was cut.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ordered_map.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace polygraphy {

// Two records are not parts of one run: other runners, other measures, other versions of engines.
inline constexpr ErrorCode kOtherRun{"other-run"};

struct JudgedUnit {
  std::string name;
  Agreement agreement = Agreement::kDiffers;
  std::optional<double> excess = {};
  std::string reason = {};
  std::optional<TokenCounts> tokens = {};

  bool failed() const { return agreement < Agreement::kAgrees; }
};

constexpr auto record_of(RecordOf<JudgedUnit>) {
  return record<JudgedUnit>(
      "JudgedUnit", "One unit, such as an output, as a sample was judged by it.",
      member("name", &JudgedUnit::name, "Its name."),
      member("agreement", &JudgedUnit::agreement,
             "As of Verdict. \"not compared\": neither side has elements."),
      derived("passed",
              Mapped{[](const JudgedUnit& of) { return !of.failed(); },
                     // Documents without an agreement have this alone.
                     [](JudgedUnit& of, bool passed) {
                       if (passed && of.failed()) of.agreement = Agreement::kAgrees;
                     }},
              "Whether it does not fail."),
      member("excess", &JudgedUnit::excess,
             "The error as a multiple of the limit; null: not known."),
      member("reason", &JudgedUnit::reason, "Of the agreement.").if_set(),
      member("tokens", &JudgedUnit::tokens, "If it was judged by them.").if_set());
}

struct JudgedSample {
  std::vector<JudgedUnit> units = {};
  std::vector<std::string> left = {};

  bool passed() const;  // no unit has failed
};

constexpr auto record_of(RecordOf<JudgedSample>) {
  return record<JudgedSample>(
      "JudgedSample", "The results of one sample.",
      member("units", &JudgedSample::units, "Those that were judged."),
      member("left", &JudgedSample::left, "Units that one side lacks: not compared."));
}

struct PairRecord {
  std::string reference, target;
  std::vector<JudgedSample> samples = {};
};

constexpr auto record_of(RecordOf<PairRecord>) {
  return record<PairRecord>("PairRecord", "Two sides that were compared with each other.",
                            member("reference", &PairRecord::reference, "The name of a side."),
                            member("target", &PairRecord::target, "The name of the other side."),
                            member("samples", &PairRecord::samples, "In their order.").rows());
}

struct RunRecord {
  std::string measure;
  std::vector<PairRecord> pairs = {};
  std::vector<std::string> failed = {};
  OrderedMap<std::string> versions = {};
  std::string accuracy = {};  // may be empty

  Verdict verdict() const;
};

constexpr auto record_of(RecordOf<RunRecord>) {
  return record<RunRecord>(
      "RunRecord", "The results of a run, sample by sample.", form("polygraphy_run_record", 3),
      member("measure", &RunRecord::measure, "As of Verdict."),
      member("pairs", &RunRecord::pairs, "In their order."),
      member("failed", &RunRecord::failed, "Runners, each with a colon and the reason."),
      member("versions", &RunRecord::versions, "Of engines, by name."),
      member("accuracy", &RunRecord::accuracy, "The text of a file of accuracy results."));
}

// Appends the samples of the next part. Throws Error (kOtherRun) and leaves `whole` as it is.
void append(RunRecord& whole, RunRecord part);

// The numbers of the samples with the largest errors as multiples of the limit, at most `count`,
// the largest first; of equal ones, the lower number. O(samples x units).
std::vector<int64_t> worst_samples(const RunRecord& record, int64_t count);

// A JSON document of one line.
std::string to_json(const RunRecord& record);
// `source` names the text in messages. Throws FormatError.
RunRecord parse_run_record(std::string_view json, std::string source);

}  // namespace polygraphy
