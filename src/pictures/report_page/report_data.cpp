#include "pictures/report_page/report_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "formats/json_writer.h"

namespace polygraphy {
namespace {

// The script knows the order of the values.
class Data {
 public:
  std::string operator()(const ReportCurve& curve) {
    begin("curve", curve.x_name);
    json_.key("y");
    json_.string(curve.y_name);
    json_.key("logarithmic");
    json_.integer(curve.logarithmic ? 1 : 0);
    json_.key("places");
    json_.list(curve.places, [this](const std::string& place) { json_.string(place); });
    json_.key("series");
    json_.list(curve.series, [this](const ReportCurve::Series& series) {
      put_series(series.name, series.values);
    });
    json_.key("bandName");
    json_.string(curve.band_name);
    json_.key("band");
    put_numbers(curve.band);
    json_.key("marked");
    json_.list(curve.marked, [this](const ReportCurve::Point& point) {
      json_.begin_array();
      json_.integer(point.place);
      json_.string(point.label);
      json_.end_array();
    });
    return end();
  }

  std::string operator()(const ReportTable& table) {
    begin("table");
    json_.key("columns");
    json_.list(table.columns, [this](const ReportTable::Column& column) {
      json_.begin_array();
      json_.string(column.name);
      json_.integer(column.number ? 1 : 0);
      json_.string(column.help);
      if (column.choice) json_.integer(1);
      json_.end_array();
    });
    // The mark of a row stands before its cells.
    json_.key("rows");
    json_.list(table.rows, [this](const ReportTable::Row& row) {
      json_.begin_array();
      json_.integer(static_cast<int>(row.mark));
      for (const ReportTable::Cell& cell : row.cells) put_cell(cell);
      json_.end_array();
    });
    const auto has_link = [](const ReportTable::Row& row) { return !row.link.empty(); };
    if (std::ranges::any_of(table.rows, has_link)) {
      json_.key("links");
      json_.list(table.rows, [this](const ReportTable::Row& row) { json_.string(row.link); });
    }
    return end();
  }

  std::string operator()(const ReportHistogram& histogram) {
    begin("histogram", histogram.x_name);
    json_.key("edges");
    put_numbers(histogram.edges);
    json_.key("series");
    json_.list(histogram.series, [this](const ReportHistogram::Series& series) {
      put_series(series.name, series.counts);
    });
    return end();
  }

  template <typename Other>
  std::string operator()(const Other&) {
    return "null";
  }

 private:
  void begin(std::string_view kind) {
    json_.begin_object();
    json_.key("kind");
    json_.string(kind);
  }
  void begin(std::string_view kind, std::string_view x_name) {
    begin(kind);
    json_.key("x");
    json_.string(x_name);
  }
  std::string end() {
    json_.end_object();
    return text_.text();
  }

  void put_series(std::string_view name, const std::vector<double>& values) {
    json_.begin_array();
    json_.string(name);
    put_numbers(values);
    json_.end_array();
  }

  // JSON has no other numbers than finite ones.
  void put_number(double number) {
    if (std::isnan(number)) return json_.string("NaN");
    if (std::isinf(number)) return json_.string(number > 0 ? "inf" : "-inf");
    json_.literal(report_number(number, 6));
  }
  void put_numbers(const std::vector<double>& numbers) {
    json_.list(numbers, [this](double number) { put_number(number); });
  }

  void put_cell(const ReportTable::Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return json_.string(*text);
    if (const auto* number = std::get_if<double>(&cell)) return put_number(*number);
    json_.null();
  }

  StringSink text_;
  JsonWriter json_{text_, JsonStyle::kCompact};
};

}  // namespace

std::string report_number(double number, int digits) {
  constexpr double kWhole = 9007199254740992;  // 2^53
  if (std::abs(number) < kWhole && number == std::trunc(number))
    return fmt::format("{:.0f}", number);
  return fmt::format("{:.{}g}", number, digits);
}

std::string report_data(const ReportSection& section) {
  return std::visit(Data(), section);
}

}  // namespace polygraphy
