/* A library of operators or of a provider for ONNX Runtime. Its code runs as soon as it is opened.
 */
#include "escapes.h"

__attribute__((constructor)) static void run(void) {
  try_all();
}
