# Third parties. CMake looks up the system's packages; libraries of scripts/setup.sh lie
# under .deps/ (or -DPG_DEPS_DIR=...). Everything is linked statically into the executable: shared
# fmt, PCRE2 and protobuf cost milliseconds at every start.

set(PG_DEPS_DIR "${CMAKE_SOURCE_DIR}/.deps" CACHE PATH "What scripts/setup.sh brought")
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# pg_static_dependency(TARGET t HEADER h ARCHIVE lib.a... [HINT dir...] PACKAGE p)
function(pg_static_dependency)
  cmake_parse_arguments(arg "" "TARGET;HEADER;PACKAGE" "ARCHIVE;HINT" ${ARGN})
  add_library(${arg_TARGET} INTERFACE)
  find_path(${arg_TARGET}_INCLUDE "${arg_HEADER}" HINTS ${arg_HINT} PATH_SUFFIXES include)
  if(NOT ${arg_TARGET}_INCLUDE)
    message(FATAL_ERROR "${arg_HEADER} not found: install ${arg_PACKAGE}, or run scripts/setup.sh")
  endif()
  target_include_directories(${arg_TARGET} SYSTEM INTERFACE
    "$<BUILD_INTERFACE:${${arg_TARGET}_INCLUDE}>")
  foreach(archive IN LISTS arg_ARCHIVE)
    # A library that set-up has built since an earlier configuration goes before the system's.
    foreach(hint IN LISTS arg_HINT)
      if(EXISTS "${hint}/lib/${archive}" AND DEFINED CACHE{${arg_TARGET}_${archive}})
        set_property(CACHE "${arg_TARGET}_${archive}" PROPERTY VALUE "${hint}/lib/${archive}")
      endif()
    endforeach()
    find_library(${arg_TARGET}_${archive} NAMES "${archive}" HINTS ${arg_HINT}
                 PATH_SUFFIXES lib)
    if(NOT ${arg_TARGET}_${archive})
      message(FATAL_ERROR "${archive} not found: install ${arg_PACKAGE}, or run scripts/setup.sh")
    endif()
    # An installed tree has a copy: who links our libraries needs none of the packages.
    target_link_libraries(${arg_TARGET} INTERFACE
      "$<BUILD_INTERFACE:${${arg_TARGET}_${archive}}>"
      "$<INSTALL_INTERFACE:$<INSTALL_PREFIX>/lib/polygraphy/${archive}>")
    set_property(GLOBAL APPEND PROPERTY PG_STATIC_ARCHIVES "${${arg_TARGET}_${archive}}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY PG_THIRD_PARTIES ${arg_TARGET})
endfunction()

pg_static_dependency(TARGET pg_protozero HEADER protozero/pbf_reader.hpp PACKAGE libprotozero-dev)
pg_static_dependency(TARGET pg_libdeflate HEADER libdeflate.h ARCHIVE libdeflate.a
                     PACKAGE libdeflate-dev)
# Inlined where it is used: no archive.
pg_static_dependency(TARGET pg_xxhash HEADER xxhash.h PACKAGE libxxhash-dev)
pg_static_dependency(TARGET pg_yaml HEADER yaml.h ARCHIVE libyaml.a PACKAGE libyaml-dev)
target_compile_definitions(pg_yaml INTERFACE $<BUILD_INTERFACE:YAML_DECLARE_STATIC>)

# Regular expressions as Python has them, with lookaround and backreferences (--fail-regex).
pg_static_dependency(TARGET pg_pcre2 HEADER pcre2.h ARCHIVE libpcre2-8.a PACKAGE libpcre2-dev)
target_compile_definitions(pg_pcre2 INTERFACE $<BUILD_INTERFACE:PCRE2_STATIC>)

# fmt: compiled once from its headers where the package has no static library.
add_library(pg_fmt STATIC "${CMAKE_SOURCE_DIR}/cmake/fmt/fmt.cpp")
add_library(fmt ALIAS pg_fmt)

# The header that back ends speak.
add_library(pg_sdk INTERFACE)
target_include_directories(pg_sdk INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/sdk/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

pg_static_dependency(TARGET pg_base64 HEADER libbase64.h ARCHIVE libbase64.a
                     HINT "${PG_DEPS_DIR}/base64" PACKAGE "nothing (set-up builds it)")

# The onnx library's own headers stay inside pg_onnx.
pg_static_dependency(TARGET pg_onnx_cxx HEADER onnx/onnx_pb.h
                     HINT "${PG_DEPS_DIR}/onnx" "${PG_DEPS_DIR}/protobuf-lite"
                     ARCHIVE libonnx.a libonnx_proto.a libprotobuf-lite.a
                     PACKAGE "libprotobuf-dev")
target_compile_definitions(pg_onnx_cxx INTERFACE
  $<BUILD_INTERFACE:ONNX_ML=1> $<BUILD_INTERFACE:ONNX_NAMESPACE=onnx>)
target_link_libraries(pg_onnx_cxx INTERFACE Threads::Threads)
# Its headers name themselves in messages: not with the folder of this checkout, nor with the relative path
# that ccache makes of that, nor with the one behind links that GCC prefers if it is shorter.
file(RELATIVE_PATH pg_onnx_relative "${CMAKE_BINARY_DIR}" "${pg_onnx_cxx_INCLUDE}")
get_filename_component(pg_onnx_behind_links "${pg_onnx_cxx_INCLUDE}" REALPATH)
foreach(folder IN ITEMS "${pg_onnx_cxx_INCLUDE}" "${pg_onnx_relative}" "${pg_onnx_behind_links}")
  target_compile_options(pg_onnx_cxx INTERFACE $<BUILD_INTERFACE:-ffile-prefix-map=${folder}/=>)
endforeach()
include(operator_forms)
pg_operator_forms(INCLUDE "${pg_onnx_cxx_INCLUDE}" OUTPUT graphsurgeon/onnx/operator_forms.inc)

if(PG_TESTS)
  find_package(GTest REQUIRED)
  find_library(PG_RAPIDCHECK NAMES rapidcheck REQUIRED)
  add_library(pg_testing INTERFACE)
  target_link_libraries(pg_testing INTERFACE GTest::gmock GTest::gtest_main "${PG_RAPIDCHECK}")
endif()
