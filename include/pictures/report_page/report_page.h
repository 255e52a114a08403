// A report of a job as one file of HTML, which any browser shows without a network.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace polygraphy {

// How a verdict or a row went: its colour, and its outcome in the forms for CI systems.
enum class ReportMark {
  kNone,       // as it should be, without a colour
  kGood,       // passed
  kWarning,    // passed, with a reservation
  kUndecided,  // compared without an answer: not finite, too coarse. It does not pass
  kBad,        // wrong
  kError,      // it did not run
  kSkipped,    // it does not apply, or there was nothing to compare
};

// The verdict at the top of the page.
struct ReportVerdict {
  ReportMark mark = ReportMark::kNone;
  std::string headline = {};
  std::vector<std::string> lines = {};
};

// Names and values.
struct ReportFigures {
  std::string title = {};
  std::vector<std::pair<std::string, std::string>> figures = {};
};

// One y per place in a model, or per run. NaN is a gap. On a logarithmic scale values of 0 and
// below stand at its lower end.
struct ReportCurve {
  struct Series {
    std::string name = {};
    std::vector<double> values = {};
  };
  struct Point {
    size_t place = 0;
    std::string label = {};
  };
  std::string title = {};
  std::string x_name = {}, y_name = {};
  bool logarithmic = true;
  std::vector<std::string> places = {};  // one name per value of a series
  std::vector<Series> series = {};
  std::string band_name = {};
  std::vector<double> band = {};  // shaded up to these; none: no band
  std::vector<Point> marked = {};
};

// A table of up to thousands of rows, which the browser sorts and searches.
struct ReportTable {
  struct Column {
    std::string name = {};
    bool number = false;  // aligned and sorted as such
    std::string help = {};
    bool choice = false;  // of few different texts, of which the reader may choose one
  };
  // Empty, a text, or a number, which may be infinite or NaN.
  using Cell = std::variant<std::monostate, std::string, double>;
  struct Row {
    std::vector<Cell> cells = {};  // as many as there are columns
    ReportMark mark = ReportMark::kNone;
    std::string link = {};               // of the first cell: a relative URL; empty: no link
    std::optional<double> seconds = {};  // that the row took
  };
  // For tables with a row per unit of the verdict, which CI systems show as a test. Columns, by
  // their names.
  struct Cases {
    std::vector<std::string> name = {};  // together they name the case
    std::string outcome = {};            // its verdict in words
    std::string suite = {};              // names its suite; empty: the title of the table does
  };
  // For tables with a row per node of the graph, which viewers of graphs show on it. Columns, by
  // their names.
  struct Nodes {
    std::vector<std::string> keys =
        {};  // its name, a tensor that it makes: viewers know one of them
    std::vector<std::string> figures = {};  // of numbers, the most telling first
    std::string outcome = {};               // its mark in words; empty: that of the cases, if any
  };
  std::string title = {};
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};
  std::optional<Cases> cases = {};
  std::optional<Nodes> nodes = {};
};

// Counts of numbers in bins, of several series over the same ones.
struct ReportHistogram {
  struct Series {
    std::string name = {};
    std::vector<double> counts = {};  // one fewer than edges
  };
  std::string title = {};
  std::string x_name = {};
  std::vector<double> edges = {};
  std::vector<Series> series = {};
};

// Trusted SVG of heatmap_svg() or Svg: the page embeds it unchanged, with its own styles, scaled
// down to the width of the page and to a third of a screen.
struct ReportPicture {
  std::string title = {};
  std::string svg = {};
};

// Graphs of models, side by side, which the reader moves, searches and selects.
struct ReportGraphs {
  std::string title = {};
  std::string data = {};  // trusted JSON of graphs_section()
};

// Commands for further steps.
struct ReportCommands {
  std::string title = {};
  std::vector<std::pair<std::string, std::string>> commands = {};  // purpose, command line
};

struct ReportNotes {
  std::string title = {};
  std::vector<std::string> lines = {};
};

// The times of work, for viewers of traces: spans of a lane lie beside or inside each other. The
// page itself omits it.
struct ReportTimeline {
  struct Span {
    std::string name = {};
    double begin = 0, seconds = 0;
  };
  struct Lane {
    std::string name = {};
    std::vector<Span> spans = {};
  };
  std::vector<Lane> lanes = {};
};

using ReportSection =
    std::variant<ReportVerdict, ReportFigures, ReportCurve, ReportTable, ReportHistogram,
                 ReportPicture, ReportGraphs, ReportCommands, ReportNotes, ReportTimeline>;

struct ReportPage {
  std::string title = {};    // also of the browser's tab: "Run of model.onnx"
  std::string command = {};  // the command line that made it
  std::string file = {};     // the model, as typed: CI systems show findings at this file
  // The subject of the page, in its head: the model, engines with their versions, the date.
  std::vector<std::pair<std::string, std::string>> about = {};
  // The page that links to this one: its title and its relative URL; may be empty.
  std::pair<std::string, std::string> back = {};
  std::string maker = {};  // program and version
  std::vector<ReportSection> sections = {};
};

// The relative URL of a file. Its name may have any characters.
std::string relative_url(std::string_view path);

void add_sections(std::vector<ReportSection> sections, ReportPage& page);

// The page as HTML; graphs alone fill the window. Texts may hold any bytes; invalid UTF-8 is
// replaced. Whole numbers below 2^53 are written in full, others with six digits. The same page
// gives the same bytes. O(contents).
std::string report_html(const ReportPage& page);

}  // namespace polygraphy
