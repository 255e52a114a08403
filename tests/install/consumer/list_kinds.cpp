// Lists the metrics and the back ends that the installed libraries know.
#include <cstdio>
#include <string>

#include "polygraphy/polygraphy.h"

int main() {
  for (const auto name : polygraphy::CompareFunc::choices()) {
    std::printf("metric %s\n", std::string(name).c_str());
  }
  for (const auto& backend : polygraphy::backend_status()) {
    std::printf("back end %s\n", backend.name.c_str());
  }
  return 0;
}
