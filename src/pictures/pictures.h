// Options for pictures of errors: kinds, folder, display.
#pragma once

#include <string>

namespace polygraphy {

struct PictureOptions {
  std::string save_heatmaps;  // a folder; empty: none
  bool show_heatmaps = false;
  std::string save_error_plot;  // a folder
  bool show_error_plot = false;
  // Pictures in the log, for a terminal.
  int text_columns = 80;
  bool text_shades = false;  // characters beyond ASCII

  bool heatmaps() const { return !save_heatmaps.empty() || show_heatmaps; }
  bool error_plot() const { return !save_error_plot.empty() || show_error_plot; }
};

}  // namespace polygraphy
