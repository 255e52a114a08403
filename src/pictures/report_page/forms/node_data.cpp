// Node data of Model Explorer: a file per figure, and one of the verdicts, with colours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "formats/record_json.h"
#include "pictures/report_page/report_form.h"

namespace polygraphy {
namespace {

std::string_view colour_of(ReportMark mark) {
  switch (mark) {
    case ReportMark::kGood:
      return "#bfe5c8";
    case ReportMark::kWarning:
    case ReportMark::kUndecided:
      return "#f6e3a1";
    case ReportMark::kBad:
    case ReportMark::kError:
      return "#f08a80";
    case ReportMark::kNone:
    case ReportMark::kSkipped:
      break;
  }
  return {};
}

const double* number_in(const ReportTable::Row& row, size_t column) {
  const auto* number = std::get_if<double>(&row.cells[column]);
  return number && std::isfinite(*number) ? number : nullptr;
}

// From white to red by powers of ten, because errors span many of them; 0 and less stay white.
class Scale {
 public:
  Scale(const ReportTable& table, size_t column) {
    for (const ReportTable::Row& row : table.rows) {
      const double* number = number_in(row, column);
      if (!number || *number <= 0) continue;
      const double power = std::log10(*number);
      low_ = any_ ? std::min(low_, power) : power;
      high_ = any_ ? std::max(high_, power) : power;
      any_ = true;
    }
  }

  std::string colour(double number) const {
    if (number <= 0 || high_ <= low_) return "#ffffff";
    const double part = (std::log10(number) - low_) / (high_ - low_);
    const int rest = static_cast<int>(std::lround(255 - 160 * part));
    return fmt::format("#ff{0:02x}{0:02x}", rest);
  }

 private:
  double low_ = 0, high_ = 0;
  bool any_ = false;  // there is a number
};

// "all_nodes_times_noise.json".
std::string file_name(std::string_view table, std::string_view figure) {
  std::string name;
  for (const char c : fmt::format("{} {}", table, figure)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (letter || lower != c) {
      name += lower;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (name.ends_with('_')) name.pop_back();
  return name + ".json";
}

// `put` writes the member of a row with that key, or nothing. Model Explorer knows a node by its
// name, and one without a unique name by a tensor that it makes.
template <typename Put>
std::string node_data(const ReportTable& table, const std::string& figure, Put put) {
  StringSink sink;
  JsonWriter json(sink, JsonStyle::kCompact);
  json.begin_object();
  write_member(json, "name", figure);
  json.key("results");
  json.begin_object();
  std::vector<size_t> keys;
  for (const std::string& name : table.nodes->keys) keys.push_back(column_of(table, name));
  std::unordered_set<std::string_view> known;
  for (const ReportTable::Row& row : table.rows) {
    const auto names = [&](size_t column) {
      const auto* key = std::get_if<std::string>(&row.cells[column]);
      return key && !key->empty() && known.insert(*key).second;
    };
    const auto column = std::ranges::find_if(keys, names);
    if (column != keys.end()) put(row, std::get<std::string>(row.cells[*column]), json);
  }
  json.end_object();
  json.end_object();
  return sink.text();
}

void put_colour(std::string_view colour, JsonWriter& json) {
  if (!colour.empty()) write_member(json, "bgColor", colour);
  json.end_object();
}

std::string verdicts(const ReportTable& table) {
  const size_t column = column_of(table, outcome_column(table));
  return node_data(table, "Verdict",
                   [&](const ReportTable::Row& row, const std::string& key, JsonWriter& json) {
                     const auto* outcome = std::get_if<std::string>(&row.cells[column]);
                     if (!outcome) return;
                     json.key(key);
                     json.begin_object();
                     write_member(json, "value", *outcome);
                     put_colour(colour_of(row.mark), json);
                   });
}

std::string figures(const ReportTable& table, size_t column) {
  const Scale scale(table, column);
  return node_data(table, table.columns[column].name,
                   [&](const ReportTable::Row& row, const std::string& key, JsonWriter& json) {
                     const double* number = number_in(row, column);
                     if (!number) return;
                     json.key(key);
                     json.begin_object();
                     write_member(json, "value", *number);
                     put_colour(scale.colour(*number), json);
                   });
}

std::vector<ReportFile> files(const ReportPage& page) {
  std::vector<ReportFile> all;
  for (const ReportSection& section : page.sections) {
    const auto* table = std::get_if<ReportTable>(&section);
    if (!table || !table->nodes) continue;
    if (!outcome_column(*table).empty())
      all.push_back({file_name(table->title, "verdict"), verdicts(*table)});
    for (const std::string& name : table->nodes->figures) {
      const size_t column = column_of(*table, name);
      const bool any = std::ranges::any_of(
          table->rows, [&](const ReportTable::Row& row) { return number_in(row, column); });
      if (any) {
        all.push_back({file_name(table->title, name), figures(*table, column)});
      }
    }
  }
  return all;
}

}  // namespace

extern constinit const ReportForm report_form_node_data = {
    .option = "--node-data",
    .help =
        "Write figures and verdicts of nodes to this folder, a JSON file each, which Model "
        "Explorer shows on the graph (--node_data_paths).",
    .files = files};

}  // namespace polygraphy
