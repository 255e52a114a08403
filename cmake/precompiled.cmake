# Headers that nearly every source includes, compiled once for the libraries and once, with GoogleTest,
# for their tests: a third less to compile. Sources include what they use all the same; the presets
# asan, tidy and fuzz build without.

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR PG_SANITIZE OR PG_FUZZ)
  function(pg_precompiled)
  endfunction()
  return()
endif()

set(pg_common_headers <algorithm> <array> <atomic> <cmath> <cstdint> <cstring> <functional> <map>
    <memory> <optional> <span> <string> <string_view> <unordered_map> <unordered_set> <utility>
    <variant> <vector> <fmt/format.h>)
file(CONFIGURE OUTPUT generated/precompiled.cpp CONTENT "")
foreach(name IN ITEMS pg_precompiled pg_precompiled_tests)
  add_library(${name} OBJECT "${CMAKE_BINARY_DIR}/generated/precompiled.cpp")
  target_link_libraries(${name} PRIVATE pg_fmt)
  # ccache needs this option for such a header.
  target_compile_options(${name} PRIVATE -fpch-preprocess)
  if(PG_CCACHE)
    set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER
      "${CMAKE_SOURCE_DIR}/cmake/precompile.sh;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endforeach()
target_precompile_headers(pg_precompiled PRIVATE ${pg_common_headers})
# Tests are executables, and compiled as such.
set_target_properties(pg_precompiled_tests PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_compile_options(pg_precompiled_tests PRIVATE -fPIE)
target_link_libraries(pg_precompiled_tests PRIVATE pg_testing)
target_precompile_headers(pg_precompiled_tests PRIVATE ${pg_common_headers} <gmock/gmock.h>
                          <gtest/gtest.h>)

# pg_precompiled(TARGET [FROM]): FROM is pg_precompiled or pg_precompiled_tests.
function(pg_precompiled target)
  set(from pg_precompiled)
  if(ARGC GREATER 1)
    set(from ${ARGV1})
  endif()
  target_compile_options(${target} PRIVATE -fpch-preprocess)
  target_precompile_headers(${target} REUSE_FROM ${from})
endfunction()
