#include "polygraphy/runtimes/contract/exclusions.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/glob.h"
#include "base/os/mapped_file.h"
#include "base/text.h"

namespace polygraphy::contract {
namespace {

constexpr size_t kLongest = size_t{1} << 20;  // bytes of a file

}  // namespace

std::vector<Exclusion> parse_exclusions(std::string_view text, const std::string& name) {
  if (text.size() > kLongest) {
    throw FormatError(
        fmt::format("{} has {} bytes: this is not a list of exclusions", name, text.size()),
        fmt::format("A list has at most {} bytes.", kLongest));
  }
  std::vector<Exclusion> exclusions;
  size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view content = strip(line);
    if (content.empty() || content.front() == '#') continue;
    const auto cells = split(content, '|');
    const std::string_view how = cells.size() == 3 ? strip(cells[1]) : std::string_view();
    if ((how != "unsupported" && how != "wrong" && how != "varies") || strip(cells[0]).empty()) {
      throw FormatError(
          fmt::format("{}, line {}: expected 'pattern | unsupported, wrong or varies | reason', "
                      "found: {}",
                      name, number, content.substr(0, 200)),
          "A pattern is a name of a case with * and ?: types/*_float16.");
    }
    exclusions.push_back({std::string(strip(cells[0])),
                          how == "wrong"    ? Deviation::kWrong
                          : how == "varies" ? Deviation::kVaries
                                            : Deviation::kUnsupported,
                          std::string(strip(cells[2]))});
  }
  return exclusions;
}

std::vector<Exclusion> load_exclusions(const std::string& path) {
  const auto file = MappedFile::open(path);
  return parse_exclusions(
      {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, path);
}

const Exclusion* exclusion_of(const std::vector<Exclusion>& exclusions, const std::string& name) {
  for (const Exclusion& exclusion : exclusions) {
    if (Glob(exclusion.cases).matches(name)) return &exclusion;
  }
  return nullptr;
}

Judgement judge(const CaseResult& result, const Exclusion* exclusion) {
  using Kind = Judgement::Kind;
  if (result.passed())
    return {exclusion && exclusion->deviation != Deviation::kVaries ? Kind::kStale : Kind::kPassed};
  Judgement failed{Kind::kFailed, result.failures};
  if (!result.refusal.empty()) failed.lines.push_back("it ends in an error: " + result.refusal);
  if (!result.crash.empty()) failed.lines.push_back(result.crash);
  const bool refused = !result.refusal.empty();
  if (!exclusion || !result.crash.empty()) return failed;
  if (exclusion->deviation == Deviation::kUnsupported && !refused) {
    failed.lines.insert(failed.lines.begin(), "declared as unsupported, but its result is wrong");
    return failed;
  }
  if (exclusion->deviation != Deviation::kUnsupported && refused) {
    failed.lines.insert(failed.lines.begin(),
                        "declared as wrong, but the library rejects it: declare it as unsupported");
    return failed;
  }
  return {Kind::kExcluded};
}

}  // namespace polygraphy::contract
