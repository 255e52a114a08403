// Lists the metrics and the back ends that the installed libraries know.
#include <cstdio>

#include "polygraphy/backend/backend_catalog.h"
#include "polygraphy/compare/metric.h"

int main() {
  for (const polygraphy::Metric* metric : polygraphy::metrics()) {
    std::printf("metric %.*s\n", static_cast<int>(metric->name.size()), metric->name.data());
  }
  for (const pgb_backend_options* backend : polygraphy::backend_option_tables()) {
    std::printf("back end %s\n", backend->name);
  }
  return 0;
}
