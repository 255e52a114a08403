#include "pictures/report_page/report_data.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "formats/json_writer.h"

namespace polygraphy {
namespace {

// The script knows the order of the values.
class Data {
 public:
  std::string operator()(const ReportCurve& curve) {
    put("{\"kind\":\"curve\",\"x\":");
    put_text(curve.x_name);
    put(",\"y\":");
    put_text(curve.y_name);
    put(curve.logarithmic ? ",\"logarithmic\":1,\"places\":" : ",\"logarithmic\":0,\"places\":");
    put_list(curve.places, [this](const std::string& place) { put_text(place); });
    put(",\"series\":");
    put_list(curve.series, [this](const ReportCurve::Series& series) {
      put("[");
      put_text(series.name);
      put(",");
      put_numbers(series.values);
      put("]");
    });
    put(",\"bandName\":");
    put_text(curve.band_name);
    put(",\"band\":");
    put_numbers(curve.band);
    put(",\"marked\":");
    put_list(curve.marked, [this](const ReportCurve::Point& point) {
      put(fmt::format("[{},", point.place));
      put_text(point.label);
      put("]");
    });
    put("}");
    return std::move(out_);
  }

  std::string operator()(const ReportTable& table) {
    put("{\"kind\":\"table\",\"columns\":");
    put_list(table.columns, [this](const ReportTable::Column& column) {
      put("[");
      put_text(column.name);
      put(column.number ? ",1," : ",0,");
      put_text(column.help);
      put("]");
    });
    // The mark of a row stands before its cells.
    put(",\"rows\":");
    put_list(table.rows, [this](const ReportTable::Row& row) {
      put(fmt::format("[{}", static_cast<int>(row.mark)));
      for (const ReportTable::Cell& cell : row.cells) {
        put(",");
        put_cell(cell);
      }
      put("]");
    });
    put("}");
    return std::move(out_);
  }

  std::string operator()(const ReportHistogram& histogram) {
    put("{\"kind\":\"histogram\",\"x\":");
    put_text(histogram.x_name);
    put(",\"edges\":");
    put_numbers(histogram.edges);
    put(",\"series\":");
    put_list(histogram.series, [this](const ReportHistogram::Series& series) {
      put("[");
      put_text(series.name);
      put(",");
      put_numbers(series.counts);
      put("]");
    });
    put("}");
    return std::move(out_);
  }

  template <typename Other>
  std::string operator()(const Other&) {
    return "null";
  }

 private:
  void put(std::string_view text) { out_ += text; }
  void put_text(std::string_view text) { out_ += json_quoted(text); }

  // JSON has no other numbers than finite ones.
  void put_number(double number) {
    if (std::isnan(number)) return put("\"NaN\"");
    if (std::isinf(number)) return put(number > 0 ? "\"inf\"" : "\"-inf\"");
    put(report_number(number, 6));
  }

  void put_cell(const ReportTable::Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return put_text(*text);
    if (const auto* number = std::get_if<double>(&cell)) return put_number(*number);
    put("null");
  }

  template <typename List, typename Put>
  void put_list(const List& list, Put put_one) {
    put("[");
    bool first = true;
    for (const auto& one : list) {
      if (!first) put(",");
      put_one(one);
      first = false;
    }
    put("]");
  }
  void put_numbers(const std::vector<double>& numbers) {
    put_list(numbers, [this](double number) { put_number(number); });
  }

  std::string out_;
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
