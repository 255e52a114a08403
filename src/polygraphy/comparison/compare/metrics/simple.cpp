// `--compare simple`: absolute and relative differences against tolerances.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/text.h"
#include "numerics/difference.h"
#include "numerics/mismatches.h"
#include "pictures/error_plot.h"
#include "pictures/heatmap.h"
#include "pictures/picture_files.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/metrics/shared/match_shapes.h"
#include "polygraphy/comparison/compare/metrics/shared/per_output.h"
#include "polygraphy/comparison/compare/metrics/shared/string_equality.h"
#include "polygraphy/comparison/compare/statistics_log.h"
#include "polygraphy/comparison/run/runner_label.h"

namespace polygraphy {
namespace {

using log_modules::kCompare;

constexpr std::string_view kRtol = "rtol";
constexpr std::string_view kAtol = "atol";
constexpr std::string_view kStat = "check_error_stat";
constexpr std::string_view kInfinities = "infinities_compare_equal";
constexpr std::string_view kSaveHeatmaps = "save_heatmaps";
constexpr std::string_view kShowHeatmaps = "show_heatmaps";
constexpr std::string_view kSaveErrorPlot = "save_error_metrics_plot";
constexpr std::string_view kShowErrorPlot = "show_error_metrics_plot";
constexpr std::string_view kErrorQuantile = "error_quantile";
constexpr MetricOption kOptions[] = {
    {.name = kRtol,
     .flags = "--rtol --rel-tol",
     .metavar = "[OUTPUT:]TOLERANCE",
     .help =
         "Relative tolerance, for all outputs or for one: 1e-3 probabilities:1e-2. Default: 1e-5.",
     .least = 0},
    {.name = kAtol,
     .flags = "--atol --abs-tol",
     .metavar = "[OUTPUT:]TOLERANCE",
     .help =
         "Absolute tolerance, likewise. Default: 1e-5. An element within either tolerance passes.",
     .least = 0},
    {.name = kStat,
     .flags = "--check-error-stat",
     .type = MetricOption::Type::kText,
     .metavar = "[OUTPUT:]STATISTIC",
     .help = "Statistic to compare with the tolerances: elemwise (every element, the default), or "
             "the max, mean, median or quantile of the errors.",
     .choices = "max mean median elemwise quantile"},
    {.name = kInfinities,
     .flags = "--infinities-compare-equal",
     .type = MetricOption::Type::kFlag,
     .help = "Treat infinities of the same sign as equal; otherwise their difference is NaN, which "
             "fails."},
    {.name = kSaveHeatmaps,
     .flags = "--save-heatmaps",
     .type = MetricOption::Type::kFolder,
     .metavar = "FOLDER",
     .help = "Save heatmaps of the absolute and relative errors (SVG) in this folder: the last two "
             "dimensions are height and width."},
    {.name = kShowHeatmaps,
     .flags = "--show-heatmaps",
     .type = MetricOption::Type::kFlag,
     .help = "Save these heatmaps, instead of opening a window: in the folder heatmaps, unless "
             "--save-heatmaps names another."},
    {.name = kSaveErrorPlot,
     .flags = "--save-error-metrics-plot",
     .type = MetricOption::Type::kFolder,
     .metavar = "FOLDER",
     .help = "Save plots of the errors over the magnitude of the values (SVG) in this folder."},
    {.name = kShowErrorPlot,
     .flags = "--show-error-metrics-plot",
     .type = MetricOption::Type::kFlag,
     .help = "Save these plots, instead of opening a window: in the folder error-metrics, unless "
             "--save-error-metrics-plot names another."},
    {.name = kErrorQuantile,
     .flags = "--error-quantile",
     .metavar = "[OUTPUT:]QUANTILE",
     .help = "Quantile for --check-error-stat quantile. Default: 0.99.",
     .least = 0,
     .most = 1},
};

enum class ErrorStat { kMax, kMean, kMedian, kElemwise, kQuantile };
constexpr std::string_view kStatNames[] = {"max", "mean", "median", "elemwise", "quantile"};
constexpr double kDefaultTolerance = 1e-5;
constexpr double kDefaultQuantile = 0.99;

ErrorStat parse_stat(const std::string& text) {
  for (size_t i = 0; i < std::size(kStatNames); ++i) {
    if (kStatNames[i] == text) return static_cast<ErrorStat>(i);
  }
  throw unknown_choice("check_error_stat", text, kStatNames);
}

GivenNumber tolerance_for(const PerOutput<GivenNumber>& values, const std::string& name) {
  return value_for(values, name, GivenNumber(kDefaultTolerance));
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

std::string type_and_shape(const Array& array) {
  return "(dtype=" + std::string(name_of(array.dtype())) +
         ", shape=" + py_tuple_repr(array.shape()) + ")";
}

// One pair's figures.
struct Judged {
  std::vector<Statistics>
      all;  // absolute, relative, then those of the outputs where they were wanted
  const Statistics& absolute() const { return all[0]; }
  const Statistics& relative() const { return all[1]; }
};

double figure(const Statistics& statistics, ErrorStat stat) {
  switch (stat) {
    case ErrorStat::kMax:
    case ErrorStat::kElemwise:
      return statistics.max;
    case ErrorStat::kMean:
      return statistics.mean;
    case ErrorStat::kMedian:
      return statistics.median;
    case ErrorStat::kQuantile:
      return statistics.extra_quantiles[0];
  }
  return statistics.max;
}

// Written so that NaN exceeds every tolerance, and everything exceeds NaN.
bool exceeds(double value, double tolerance) {
  return !(value <= tolerance);
}

// Where the figures of a statistic lie among a result's: the absolute one, then the relative one.
constexpr size_t kQuantilePlace = 6;
size_t place_of(ErrorStat stat) {
  switch (stat) {
    case ErrorStat::kMax:
    case ErrorStat::kElemwise:
      return 0;
    case ErrorStat::kMean:
      return 2;
    case ErrorStat::kMedian:
      return 4;
    case ErrorStat::kQuantile:
      return kQuantilePlace;
  }
  return 0;
}

// `elemwise` cannot be judged by figures, except that nothing fails below the limits.
bool judge_figures(const Figures& figures, const Threshold& threshold) {
  const size_t place = place_of(parse_stat(threshold.error_stat));
  if (figures.size() <= place + 1 || threshold.limits.size() < 2) return false;
  const auto within = [&](size_t i) {
    const auto& value = figures[place + i];
    return value && !exceeds(*value, threshold.limits[i].value);
  };
  return within(0) || within(1);
}

// Of figures that exceed both limits.
double excess_of_figures(const Figures& figures, const Threshold& threshold) {
  const size_t place = place_of(parse_stat(threshold.error_stat));
  const auto ratio = [&](size_t i) {
    return excess_of(figures[place + i].value_or(std::nan("")), threshold.limits[i].value);
  };
  return std::min(ratio(0), ratio(1));
}

// Pictures that are to be shown, as the original does in a window, are files as well.
std::optional<PictureFiles> picture_files(const MetricOptions& options, std::string_view save,
                                          std::string_view show, const char* shown) {
  if (const std::string folder = options.folder(save); !folder.empty()) return PictureFiles(folder);
  if (options.flag(show)) return PictureFiles(shown);
  return std::nullopt;
}

class Simple : public MetricFunction {
 public:
  explicit Simple(const MetricOptions& options)
      : options_(options),
        heatmaps_(picture_files(options, kSaveHeatmaps, kShowHeatmaps, "heatmaps")),
        error_plots_(picture_files(options, kSaveErrorPlot, kShowErrorPlot, "error-metrics")) {
    for (const auto& [name, text] : options_.texts_of(kStat)) parse_stat(text);
  }

  void begin(const ArrayMap& outputs0, const ArrayMap& outputs1, Logger& log) override {
    warn_of_extra_items("rtol", options_.numbers_of(kRtol), outputs0, outputs1, log);
    warn_of_extra_items("atol", options_.numbers_of(kAtol), outputs0, outputs1, log);
    warn_of_extra_items("check_error_stat", options_.texts_of(kStat), outputs0, outputs1, log);
    warn_of_extra_items("quantile", options_.numbers_of(kErrorQuantile), outputs0, outputs1, log);
    if (!options_.check_shapes) announce_shape_matching(log);
  }

  Threshold threshold(const std::string& output) const override {
    return {value_for(options_.texts_of(kStat), output, std::string("elemwise")),
            {tolerance_for(options_.numbers_of(kAtol), output),
             tolerance_for(options_.numbers_of(kRtol), output)}};
  }

  // Pictures have numbered files.
  bool concurrent() const override { return !heatmaps_ && !error_plots_; }

  OutputResult compare(const OutputPair& pair, Logger& log) override {
    const std::string name0(pair.name0);
    const Threshold demanded = threshold(name0);
    const GivenNumber &atol = demanded.limits[0], &rtol = demanded.limits[1];
    const std::string& stat_name = demanded.error_stat;
    const ErrorStat stat = parse_stat(stat_name);

    log.info(kCompare, "Tolerance: [abs=" + format_g(atol.value, 5) + ", rel=" +
                           format_g(rtol.value, 5) + "] | Checking " + stat_name + " error");
    log.extra_verbose(kCompare, "Note: Comparing " + std::string(pair.runner0) + " vs. " +
                                    std::string(pair.runner1));

    Array a = pair.a, b = pair.b;
    OutputResult result;
    if (!match_shapes(pair, options_.check_shapes, a, b, log)) return result;
    log_outputs(pair, a, b, log);
    if (const auto equal = compare_strings(pair, a, b, log)) {
      result.passed = *equal;
      return result;
    }

    const Tolerances tolerances{atol.value, rtol.value};
    Difference difference(a, b, tolerances, options_.flag(kInfinities));
    const double quantile =
        value_for(options_.numbers_of(kErrorQuantile), name0, GivenNumber(kDefaultQuantile)).value;
    const Judged judged = judge(pair, a, b, difference, stat, quantile, log);
    result.figures = figures_of(judged, stat);
    result.threshold = demanded;
    result.passed = stat == ErrorStat::kElemwise ? difference.mismatches() == 0
                                                 : judge_figures(result.figures, demanded);
    if (!result.passed) {
      result.excess = stat == ErrorStat::kElemwise ? largest_excess(difference, tolerances)
                                                   : excess_of_figures(result.figures, demanded);
    }

    if (difference.zeros_in_reference()) warn_of_zeros(pair, log);
    if (stat == ErrorStat::kElemwise) log_mismatches(pair, a, b, difference, tolerances, log);
    log_metrics(judged, difference, stat, stat_name, quantile, pair, b, result.passed, log);
    if (log.enabled(Severity::kExtraVerbose, kCompare)) {
      log.extra_verbose(kCompare, "Finished comparing: " + quoted(pair.name0) + " " +
                                      type_and_shape(a) + " [" + std::string(pair.runner0) +
                                      "] and " + quoted(pair.name1) + " " + type_and_shape(b) +
                                      " [" + std::string(pair.runner1) + "]");
    }

    const std::string limits = " tolerance (rel=" + rtol.repr() + ", abs=" + atol.repr() + ")";
    if (result.passed) {
      log.finish(kCompare,
                 "PASSED | Output: " + quoted(name0) + " | Difference is within" + limits);
    } else {
      log.error(kCompare, "FAILED | Output: " + quoted(name0) + " | Difference exceeds" + limits);
    }
    return result;
  }

 private:
  // The statistics of both differences, and in the same passes of both outputs where they will be
  // printed.
  static Judged judge(const OutputPair& pair, const Array& a, const Array& b,
                      Difference& difference, ErrorStat stat, double quantile, const Logger& log) {
    // Rearranged outputs have other sums and places than those to be printed.
    const bool as_given = a.data() == pair.a.data() && b.data() == pair.b.data() &&
                          a.shape() == pair.a.shape() && b.shape() == pair.b.shape();
    const bool share = pair.statistics != nullptr && !pair.statistics->a && as_given &&
                       statistics_enabled(log) && difference.a() != nullptr &&
                       difference.b() != nullptr;
    std::vector<double> quantiles;
    if (stat == ErrorStat::kQuantile) quantiles.push_back(quantile);
    Judged judged{difference.statistics(share, quantiles)};
    if (share) {
      pair.statistics->a = judged.all[2];
      pair.statistics->b = judged.all[3];
    }
    return judged;
  }

  // Histograms of both differences, and in the same pass those of both outputs if their statistics
  // were computed here. Empty: the log hides them.
  static std::vector<std::optional<Histogram>> histograms_of(const Judged& judged,
                                                             Difference& difference,
                                                             const OutputPair& pair,
                                                             Severity details, const Logger& log) {
    if (!log.enabled(details, log_modules::kStatistics)) return {};
    const auto own = [](const Statistics& s) { return HistogramRange{s.min, s.max}; };
    std::vector<HistogramTask> tasks{{&difference.absolute(), own(judged.absolute()), true, true},
                                     {&difference.relative(), own(judged.relative()), true, true}};
    const bool outputs = judged.all.size() == 4;
    if (outputs) {
      const HistogramRange range = common_range(judged.all[2], judged.all[3]);
      tasks.push_back({difference.a(), range, false, !judged.all[2].has_nan});
      tasks.push_back({difference.b(), range, false, !judged.all[3].has_nan});
    }
    std::vector<std::optional<Histogram>> histograms = compute_histograms(tasks);
    if (outputs) {
      pair.statistics->histogram_a = histograms[2];
      pair.statistics->histogram_b = histograms[3];
    }
    return histograms;
  }

  static Figures figures_of(const Judged& judged, ErrorStat stat) {
    const Statistics &absolute = judged.absolute(), &relative = judged.relative();
    Figures figures{absolute.max,    relative.max,    absolute.mean, relative.mean,
                    absolute.median, relative.median, std::nullopt,  std::nullopt};
    if (stat == ErrorStat::kQuantile) {
      figures[kQuantilePlace] = figure(absolute, stat);
      figures[kQuantilePlace + 1] = figure(relative, stat);
    }
    return figures;
  }

  static void log_outputs(const OutputPair& pair, const Array& a, const Array& b, Logger& log) {
    if (!log.enabled(Severity::kSuperVerbose, kCompare)) return;
    const auto text = [](std::string_view runner, std::string_view name, const Array& array) {
      return runner_label(runner) + " | Output: " + std::string(name) + " " +
             type_and_shape(array) + ":\n" + indent(numpy_str(array));
    };
    log.log(Severity::kSuperVerbose, kCompare, text(pair.runner0, pair.name0, a));
    log.log(Severity::kSuperVerbose, kCompare, text(pair.runner1, pair.name1, b));
  }

  static void warn_of_zeros(const OutputPair& pair, Logger& log) {
    log.warning(
        kCompare,
        runner_label(pair.runner1) + " | Output: " + std::string(pair.name1) +
            ": Some values are 0. Will add a small epsilon quantity to these when computing "
            "relative "
            "difference. Note that this may cause some relative differences to be extremely high. ",
        Once::kYes);
  }

  static void log_mismatches(const OutputPair& pair, const Array& a, const Array& b,
                             Difference& difference, Tolerances tolerances, Logger& log) {
    if (!log.enabled(Severity::kExtraVerbose, kCompare)) return;
    const Mismatches mismatches(difference, tolerances);
    Logger::Indent deeper(log);
    if (log.enabled(Severity::kSuperVerbose, kCompare)) {
      log.log(Severity::kSuperVerbose, kCompare,
              "Mismatched indices:\n" + mismatches.indices_text(a.shape()));
    }
    log.extra_verbose(kCompare, runner_label(pair.runner0) + " | Mismatched values:\n" +
                                    mismatches.values_text(a));
    log.extra_verbose(kCompare, runner_label(pair.runner1) + " | Mismatched values:\n" +
                                    mismatches.values_text(b));
  }

  void log_metrics(const Judged& judged, Difference& difference, ErrorStat stat,
                   const std::string& stat_name, double quantile, const OutputPair& pair,
                   const Array& b, bool passed, Logger& log) {
    log.info(kCompare, "Error Metrics: " + std::string(pair.name0));
    Logger::Indent deeper(log);
    std::string required = "Minimum Required Tolerance: " + stat_name +
                           " error | [abs=" + format_g(figure(judged.absolute(), stat), 5) +
                           "] OR [rel=" + format_g(figure(judged.relative(), stat), 5) + "]";
    if (stat == ErrorStat::kElemwise)
      required += " (requirements may be lower if both abs/rel tolerances are set)";
    if (stat == ErrorStat::kQuantile) required += " (quantile=" + format_g(quantile, 4) + ")";
    log.info(kCompare, required);
    if (error_plots_) {
      Logger::Indent picture(log);
      draw_error_plot(difference.absolute(), difference.relative(), b,
                      {std::string(pair.runner0), std::string(pair.name0),
                       std::string(pair.runner1), std::string(pair.name1)},
                      *error_plots_, log);
    }
    const Severity details = passed ? Severity::kVerbose : Severity::kInfo;
    const std::vector<std::optional<Histogram>> histograms =
        histograms_of(judged, difference, pair, details, log);
    const auto* known = histograms.empty() ? nullptr : histograms.data();
    log_statistics(judged.absolute(), "Absolute Difference", difference.absolute(), details,
                   std::nullopt, log, known);
    log_heatmaps(difference.absolute(), "Absolute", pair, log);
    log_statistics(judged.relative(), "Relative Difference", difference.relative(), details,
                   std::nullopt, log, known == nullptr ? nullptr : known + 1);
    log_heatmaps(difference.relative(), "Relative", pair, log);
  }

  void log_heatmaps(BlockSource& errors, const std::string& which, const OutputPair& pair,
                    Logger& log) {
    if (!heatmaps_) return;
    Logger::Indent picture(log);
    draw_heatmaps(errors,
                  {.prefix = which + " Error | " + std::string(pair.name0),
                   .runners = std::string(pair.runner0) + "\n" + std::string(pair.runner1),
                   .logarithmic = which == "Relative"},
                  *heatmaps_, log);
  }

  MetricOptions options_;
  std::optional<PictureFiles> heatmaps_, error_plots_;
};

std::unique_ptr<MetricFunction> make_metric(const MetricOptions& options) {
  return std::make_unique<Simple>(options);
}

}  // namespace

extern constinit const Metric metric_simple = {
    .name = "simple",
    .label = "simple",
    .summary =
        "absolute and relative differences against tolerances, per element or by a statistic",
    .order = 0,
    .make = make_metric,
    .options = kOptions,
    .python_class = "SimpleCompareFunc",
    .python_arguments =
        "check_shapes rtol atol fail_fast check_error_stat infinities_compare_equal save_heatmaps "
        "show_heatmaps save_error_metrics_plot show_error_metrics_plot error_quantile",
    .figures =
        "max_absdiff max_reldiff mean_absdiff mean_reldiff median_absdiff median_reldiff "
        "quantile_absdiff quantile_reldiff",
    .result_class = "OutputCompareResult",
    .threshold_class = "SimpleThreshold",
    .limits = "atol rtol",
    .judge = judge_figures,
};

}  // namespace polygraphy
