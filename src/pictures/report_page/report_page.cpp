#include "pictures/report_page/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/text.h"
#include "formats/record_json.h"
#include "pictures/report_page/report_form.h"
#include "pictures/report_page/report_texts.h"
#include "pictures/svg.h"

namespace polygraphy {
namespace {

// A finite number; whole ones below 2^53 in full.
std::string report_number(double number, int digits) {
  constexpr double kWhole = 9007199254740992;  // 2^53
  if (std::abs(number) < kWhole && number == std::trunc(number))
    return fmt::format("{:.0f}", number);
  return fmt::format("{:.{}g}", number, digits);
}

// The script knows the order of the values.
class Data {
 public:
  std::string operator()(const ReportCurve& curve) {
    begin("curve", curve.x_name);
    write_member(json_, "y", curve.y_name);
    write_member(json_, "logarithmic", curve.logarithmic ? 1 : 0);
    json_.key("places");
    json_.list(curve.places, [this](const std::string& place) { json_.string(place); });
    json_.key("series");
    json_.list(curve.series, [this](const ReportCurve::Series& series) {
      put_series(series.name, series.values);
    });
    write_member(json_, "bandName", curve.band_name);
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
    if (table.nodes) put_nodes(table);
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

  std::string operator()(const ReportGraphs& graphs) { return graphs.data; }

  template <typename Other>
  std::string operator()(const Other&) {
    return "null";
  }

 private:
  void begin(std::string_view kind) {
    json_.begin_object();
    write_member(json_, "kind", kind);
  }
  void begin(std::string_view kind, std::string_view x_name) {
    begin(kind);
    write_member(json_, "x", x_name);
  }
  std::string end() {
    json_.end_object();
    return text_.text();
  }

  // By their places.
  void put_nodes(const ReportTable& table) {
    const auto put = [&](std::string_view key, const std::vector<std::string>& names) {
      json_.key(key);
      json_.list(names, [&](const std::string& name) { json_.integer(column_of(table, name)); });
    };
    put("keys", table.nodes->keys);
    put("figures", table.nodes->figures);
    const std::string outcome = outcome_column(table);
    if (!outcome.empty()) write_member(json_, "outcome", column_of(table, outcome));
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

// {"kind": "table", ...}, in ASCII; "null" for a section that is HTML alone. O(section).
std::string report_data(const ReportSection& section) {
  return std::visit(Data(), section);
}

// Rows of a table that stand in the page itself, for paper and for browsers without scripts.
constexpr size_t kPlainRows = 200;

std::string_view name_of(ReportMark mark) {
  switch (mark) {
    case ReportMark::kGood:
      return "good";
    case ReportMark::kWarning:
    case ReportMark::kUndecided:
      return "warning";
    case ReportMark::kBad:
    case ReportMark::kError:
      return "bad";
    case ReportMark::kSkipped:
      return "skipped";
    case ReportMark::kNone:
      break;
  }
  return "none";
}

std::string plain(const ReportTable::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return xml_escaped(*text);
  if (const auto* number = std::get_if<double>(&cell)) return report_number(*number, 4);
  return {};
}

// `html`: the text of the link.
std::string link_html(const std::string& url, const std::string& html) {
  return fmt::format("<a href=\"{}\">{}</a>", xml_escaped(url), html);
}

std::string figures_html(const std::vector<std::pair<std::string, std::string>>& figures,
                         std::string_view attributes) {
  if (figures.empty()) return {};
  std::string html = fmt::format("<dl{}>\n", attributes);
  for (const auto& [name, value] : figures) {
    html +=
        fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", xml_escaped(name), xml_escaped(value));
  }
  return html + "</dl>\n";
}

// A section's HTML; `index`: its place in the data.
class Html {
 public:
  explicit Html(size_t index) : index_(index) {}

  std::string operator()(const ReportVerdict& verdict) {
    std::string html = fmt::format("<section class=\"verdict {}\">\n<h2>{}</h2>\n",
                                   name_of(verdict.mark), xml_escaped(verdict.headline));
    for (const std::string& line : verdict.lines) html += "<p>" + xml_escaped(line) + "</p>\n";
    return html + "</section>\n";
  }

  std::string operator()(const ReportFigures& figures) {
    return begin(figures.title) + figures_html(figures.figures, {}) + "</section>\n";
  }

  std::string operator()(const ReportCurve& curve) { return begin(curve.title) + drawn(); }
  std::string operator()(const ReportHistogram& one) { return begin(one.title) + drawn(); }
  std::string operator()(const ReportGraphs& graphs) { return begin(graphs.title) + drawn(); }

  std::string operator()(const ReportTable& table) {
    std::string html = begin(table.title) + fmt::format(
                                                "<div class=\"drawn\" data-section=\"{}\"></div>\n"
                                                "<table class=\"plain\">\n<thead><tr>",
                                                index_);
    for (const ReportTable::Column& column : table.columns)
      html += fmt::format("<th>{}</th>", xml_escaped(column.name));
    html += "</tr></thead>\n<tbody>\n";
    const size_t shown = std::min(kPlainRows, table.rows.size());
    for (size_t i = 0; i < shown; ++i) {
      const ReportTable::Row& row = table.rows[i];
      html += fmt::format("<tr class=\"{}\">", name_of(row.mark));
      for (size_t c = 0; c < row.cells.size(); ++c) {
        const bool number = c < table.columns.size() && table.columns[c].number;
        std::string cell = plain(row.cells[c]);
        if (c == 0 && !row.link.empty()) cell = link_html(row.link, cell);
        html += (number ? "<td class=\"number\">" : "<td>") + cell + "</td>";
      }
      html += "</tr>\n";
    }
    html += "</tbody>\n</table>\n";
    if (shown < table.rows.size()) {
      html += fmt::format("<p class=\"plain\">and {} more rows</p>\n", table.rows.size() - shown);
    }
    return html + "</section>\n";
  }

  std::string operator()(const ReportPicture& picture) {
    const size_t start = picture.svg.find("<svg");
    if (start == std::string::npos) return {};
    // In a shadow tree its styles are its own.
    return begin(picture.title) +
           "<div class=\"picture\"><template shadowrootmode=\"open\"><style>svg { max-width: 100%; "
           "max-height: 440px; width: auto; height: auto; }</style>" +
           picture.svg.substr(start) + "</template></div>\n</section>\n";
  }

  std::string operator()(const ReportCommands& commands) {
    std::string html = begin(commands.title) + "<ul class=\"commands\">\n";
    for (const auto& [purpose, command] : commands.commands) {
      html += fmt::format("<li><span>{}</span><code>{}</code><button>Copy</button></li>\n",
                          xml_escaped(purpose), xml_escaped(command));
    }
    return html + "</ul>\n</section>\n";
  }

  std::string operator()(const ReportNotes& notes) {
    std::string html = begin(notes.title) + "<ul>\n";
    for (const std::string& line : notes.lines) html += "<li>" + xml_escaped(line) + "</li>\n";
    return html + "</ul>\n</section>\n";
  }

  std::string operator()(const ReportTimeline&) { return {}; }

 private:
  static std::string begin(std::string_view title) {
    if (title.empty()) return "<section>\n";
    return "<section>\n<h2>" + xml_escaped(title) + "</h2>\n";
  }

  std::string drawn() const {
    return fmt::format("<div class=\"drawn\" data-section=\"{}\"></div>\n</section>\n", index_);
  }

  const size_t index_;
};

// By the script, of the data.
bool is_drawn(const ReportSection& section) {
  return std::holds_alternative<ReportTable>(section) ||
         std::holds_alternative<ReportCurve>(section) ||
         std::holds_alternative<ReportHistogram>(section) ||
         std::holds_alternative<ReportGraphs>(section);
}

bool has_graphs(const ReportPage& page) {
  return std::ranges::any_of(page.sections, [](const ReportSection& section) {
    return std::holds_alternative<ReportGraphs>(section);
  });
}

std::string script_html(std::string_view script) {
  return "<script>\n" + std::string(script) + "</script>\n";
}

}  // namespace

std::string relative_url(std::string_view path) {
  std::string url;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    url += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return url;
}

void add_sections(std::vector<ReportSection> sections, ReportPage& page) {
  std::move(sections.begin(), sections.end(), std::back_inserter(page.sections));
}

std::string report_html(const ReportPage& page) {
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta name=\"viewport\" content=\"width=device-width\">\n";
  html +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; ";
  html += "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>";
  html += xml_escaped(page.title) + "</title>\n<style>\n";
  html += report_style();
  const bool graphs = has_graphs(page);
  if (graphs) html += graphs_style();
  html += "</style>\n</head>\n";
  html += graphs && page.sections.size() == 1 ? "<body class=\"whole\">\n" : "<body>\n";
  html += "<header>\n";
  if (const auto& [title, url] = page.back; !url.empty())
    html += "<nav>" + link_html(url, xml_escaped(title)) + "</nav>\n";
  html += "<h1>" + xml_escaped(page.title) + "</h1>\n";
  html += figures_html(page.about, " class=\"about\"");
  if (!page.command.empty()) html += "<code>" + xml_escaped(page.command) + "</code>\n";
  html += "</header>\n<main>\n";
  std::string data = "[";
  for (size_t i = 0; i < page.sections.size(); ++i) {
    html += std::visit(Html(i), page.sections[i]);
    if (i > 0) data += ",\n";
    data += report_data(page.sections[i]);
  }
  html += "</main>\n";
  if (!page.maker.empty()) html += "<footer>" + xml_escaped(page.maker) + "</footer>\n";
  if (std::ranges::any_of(page.sections, is_drawn)) {
    // No text can end the element: outside of texts JSON has no '<'.
    html += "<script type=\"application/json\" id=\"report\">" +
            replace_all(data + "]", "<", "\\u003c") + "</script>\n";
    if (graphs) {
      for (const std::string_view script :
           {graph_parts_script(), graph_tones_script(), graph_modules_script(), drawing_script(),
            weights_script(), extract_script(), graphs_script()})
        html += script_html(script);
    }
    html += script_html(report_script());
  }
  html += script_html(report_copy_script());
  html += "</body>\n</html>\n";
  return html;
}

}  // namespace polygraphy
