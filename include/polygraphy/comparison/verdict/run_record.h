// The results of a run sample by sample: enough for its verdict, without any tensor. Records of
// parts of a run, in their order, join to that of the whole run, however it was cut.
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

// One unit, such as an output, as a sample was judged by it.
struct JudgedUnit {
  std::string name;
  // kNotCompared: neither side has elements.
  Agreement agreement = Agreement::kDiffers;
  std::optional<double> excess = {};       // the error as a multiple of what is allowed
  std::string reason = {};                 // of the agreement; may be empty
  std::optional<TokenCounts> tokens = {};  // if it was judged by them

  bool failed() const { return agreement < Agreement::kAgrees; }
};

// The results of one sample.
struct JudgedSample {
  std::vector<JudgedUnit> units = {};
  std::vector<std::string> left = {};  // units that one side lacks: not compared

  bool passed() const;  // no unit has failed
};

// Two sides that were compared with each other.
struct PairRecord {
  std::string reference, target;
  std::vector<JudgedSample> samples = {};
};

struct RunRecord {
  std::string measure;
  std::vector<PairRecord> pairs = {};
  std::vector<std::string> failed = {};   // runners, each with a colon and the reason
  OrderedMap<std::string> versions = {};  // of engines
  std::string accuracy = {};              // the text of a file of accuracy results; may be empty

  Verdict verdict() const;
};

// Appends the samples of the next part. Throws Error (kOtherRun) and leaves `whole` as it is.
void append(RunRecord& whole, RunRecord part);

// The numbers of the samples with the largest errors in parts of what is allowed, at most `count`,
// the largest first; of equal ones, the lower number. O(samples x units).
std::vector<int64_t> worst_samples(const RunRecord& record, int64_t count);

// A JSON document of one line.
std::string to_json(const RunRecord& record);
// `source` names the text in messages. Throws FormatError.
RunRecord parse_run_record(std::string_view json, std::string source);

}  // namespace polygraphy
