# Helpers with which the root CMakeLists.txt describes the tree: one library per folder, tests
# and fuzz targets beside the code they belong to, kinds as folders.

if(PG_SANITIZE)
  add_library(pg_sanitized_dlopen OBJECT cmake/sanitized_dlopen.c)
endif()

# All fuzz targets, under libFuzzer or as replays.
add_custom_target(fuzz_targets)

# Dependencies of the tests labelled "quick", and of those labelled "threads".
add_custom_target(quick_tests)
add_custom_target(threads_tests)

# pg_label(LABEL TEST TARGET...): TEST needs the targets. quick: it takes a few seconds at most; all of
# them take a minute together (`make test-quick`). threads: the thread sanitizer has something to see
# (`make test-tsan`).
function(pg_label label test)
  set_property(TEST ${test} APPEND PROPERTY LABELS ${label})
  if(ARGN)
    add_dependencies(${label}_tests ${ARGN})
  endif()
endfunction()

# pg_sources(OUT DIR...): the .cpp files directly in the folders, without *_test, *_fuzz.
function(pg_sources out)
  set(found)
  foreach(dir IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${dir}/*.cpp")
    list(APPEND found ${files})
  endforeach()
  list(FILTER found EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
  list(SORT found)
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# pg_sources_of_kind(OUT KIND DIR...): the *_<KIND>.cpp files directly in the folders.
function(pg_sources_of_kind out kind)
  set(found)
  foreach(dir IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${dir}/*_${kind}.cpp")
    list(APPEND found ${files})
  endforeach()
  list(SORT found)
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# pg_library(NAME n DIR d [SUBDIRS s...] [DEPS ...] [PRIVATE_DEPS ...] [TEST_DEPS ...])
# One static library from DIR/*.cpp and DIR/<SUBDIR>/*.cpp (an interface library without sources),
# and beside it: <n>_test from the *_test.cpp, one fuzz target per *_fuzz.cpp. Headers lie in the
# same folder under src/ or, those for programs, under include/: "base/error.h".
# PRIVATE_DEPS are not visible in the headers for users of the library; TEST_DEPS are further
# libraries for its tests.
function(pg_library)
  cmake_parse_arguments(arg "" "NAME;DIR" "SUBDIRS;DEPS;PRIVATE_DEPS;TEST_DEPS" ${ARGN})
  set(dirs ${arg_DIR})
  foreach(sub IN LISTS arg_SUBDIRS)
    list(APPEND dirs ${arg_DIR}/${sub})
  endforeach()
  pg_sources(sources ${dirs})
  if(sources)
    add_library(${arg_NAME} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${arg_NAME} PRIVATE ${arg_PRIVATE_DEPS})
    pg_precompiled(${arg_NAME})
    pg_units(${arg_NAME})
  else()
    add_library(${arg_NAME} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${arg_NAME} ${scope}
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src>
    $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated>
    $<INSTALL_INTERFACE:${PG_INSTALL_HEADERS}>)
  target_link_libraries(${arg_NAME} ${scope} ${arg_DEPS})
  set_property(GLOBAL APPEND PROPERTY PG_LIBRARIES ${arg_NAME})
  pg_record_layer(${arg_NAME} "${dirs}" "${arg_DEPS}" "${arg_TEST_DEPS}")
  pg_headers_alone(${arg_NAME} ${dirs})

  pg_sources_of_kind(tests test ${dirs})
  pg_test(NAME ${arg_NAME}_test SOURCES ${tests}
    DEPS ${arg_NAME} ${arg_TEST_DEPS} ${arg_PRIVATE_DEPS})
  pg_sources_of_kind(fuzzers fuzz ${dirs})
  foreach(source IN LISTS fuzzers)
    pg_fuzz_target(${source} ${arg_NAME})
  endforeach()
endfunction()

# pg_runs_once(TARGET...): compiled with fewer optimizations.
function(pg_runs_once)
  if(CMAKE_BUILD_TYPE STREQUAL Release)
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -O1)
    endforeach()
  endif()
endfunction()

# For scripts/check_layers.py: which folders a library has and which libraries it may include.
function(pg_record_layer name dirs deps test_deps)
  list(FILTER deps INCLUDE REGEX "^pg_")
  list(JOIN test_deps "\", \"" test_deps)
  list(JOIN dirs "\", \"" dirs)
  list(JOIN deps "\", \"" deps)
  set_property(GLOBAL APPEND PROPERTY PG_LAYERS
    "  \"${name}\": {\"folders\": [\"${dirs}\"], \"uses\": [\"${deps}\"], \"tests_use\": [\"${test_deps}\"]}")
endfunction()

# A header with a source of the same name is included first there, which proves that it stands
# alone. The others are compiled once by themselves.
function(pg_headers_alone name)
  set(units)
  foreach(dir IN LISTS ARGN)
    string(REGEX REPLACE "^src/" "" folder "${dir}")
    foreach(root IN ITEMS src include)
      file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}/${root}"
           "${CMAKE_SOURCE_DIR}/${root}/${folder}/*.h")
      foreach(header IN LISTS headers)
        string(REGEX REPLACE "\\.h$" ".cpp" source "${header}")
        if(NOT EXISTS "${CMAKE_SOURCE_DIR}/src/${source}")
          set(unit "${CMAKE_BINARY_DIR}/generated/alone/${source}")
          file(CONFIGURE OUTPUT "${unit}" CONTENT "#include \"${header}\"\n")
          list(APPEND units "${unit}")
        endif()
      endforeach()
    endforeach()
  endforeach()
  if(units AND PG_TESTS)
    add_library(${name}_headers OBJECT ${units})
    target_link_libraries(${name}_headers PRIVATE ${name})
  endif()
endfunction()

# pg_test(NAME n SOURCES ... DEPS ... [SLOW] [THREADS]): one GoogleTest executable (gmock and rapidcheck are there
# as well), one ctest of the same name, quick unless SLOW. Runs in the source root; PG_SOURCE_DIR and
# PG_BINARY_DIR name the folders. Nothing when SOURCES is empty.
function(pg_test)
  cmake_parse_arguments(arg "SLOW;THREADS" "NAME" "SOURCES;DEPS" ${ARGN})
  if(NOT arg_SOURCES OR NOT PG_TESTS)
    return()
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_DEPS} pg_testing)
  pg_precompiled(${arg_NAME} pg_precompiled_tests)
  pg_units(${arg_NAME})
  pg_runs_once(${arg_NAME})
  if(PG_SANITIZE)
    target_link_libraries(${arg_NAME} PRIVATE pg_sanitized_dlopen)
  endif()
  target_compile_definitions(${arg_NAME} PRIVATE
    PG_SOURCE_DIR="${CMAKE_SOURCE_DIR}" PG_BINARY_DIR="${CMAKE_BINARY_DIR}"
    PG_DEPS_DIR="${PG_DEPS_DIR}")
  set_target_properties(${arg_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  # The counts of single cases are added up from these files by scripts/summarize_tests.py.
  set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT 300
    ENVIRONMENT "GTEST_OUTPUT=xml:${CMAKE_BINARY_DIR}/test-results/${arg_NAME}.xml;${PG_SANITIZER_ENV}")
  if(NOT arg_SLOW)
    pg_label(quick ${arg_NAME} ${arg_NAME})
  endif()
  if(arg_THREADS)
    pg_label(threads ${arg_NAME} ${arg_NAME})
  endif()
endfunction()

# pg_one_and_four_threads(TEST...): results may not depend on the number of threads, so each test
# runs with four, whatever the machine has, and as <TEST>_one_thread with one.
# Both may run at once, so each has a folder for the files of its tests.
function(pg_one_and_four_threads)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/one-thread-files")
  foreach(test IN LISTS ARGN)
    target_sources(${test} PRIVATE
      "${CMAKE_SOURCE_DIR}/src/base/testdata/threads_from_environment.cpp")
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT PG_TEST_THREADS=4)
    add_test(NAME ${test}_one_thread COMMAND ${test} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
    set_tests_properties(${test}_one_thread PROPERTIES TIMEOUT 300
      ENVIRONMENT "PG_TEST_THREADS=1;TEST_TMPDIR=${CMAKE_BINARY_DIR}/one-thread-files/;GTEST_OUTPUT=xml:${CMAKE_BINARY_DIR}/test-results/${test}_one_thread.xml;${PG_SANITIZER_ENV}")
    pg_label(quick ${test}_one_thread)
  endforeach()
endfunction()

# pg_fuzz_target(SOURCE LIBRARY): x_fuzz.cpp -> executable x_fuzz. With PG_FUZZ under libFuzzer;
# otherwise a replay of fuzz/corpus/x, registered with ctest.
function(pg_fuzz_target source library)
  if(NOT PG_TESTS AND NOT PG_FUZZ)
    return()
  endif()
  get_filename_component(stem "${source}" NAME_WE)
  string(REGEX REPLACE "_fuzz$" "" corpus "${stem}")
  add_executable(${stem} ${source})
  target_link_libraries(${stem} PRIVATE ${library})
  set_target_properties(${stem} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz")
  add_dependencies(fuzz_targets ${stem})
  if(PG_FUZZ)
    target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
    return()
  endif()
  if(NOT TARGET pg_fuzz_replay)
    add_library(pg_fuzz_replay OBJECT "${CMAKE_SOURCE_DIR}/fuzz/replay_main.cpp")
    pg_runs_once(pg_fuzz_replay)
  endif()
  target_link_libraries(${stem} PRIVATE pg_fuzz_replay)
  pg_runs_once(${stem})
  set(corpus_dir "${CMAKE_SOURCE_DIR}/fuzz/corpus/${corpus}")
  if(NOT EXISTS "${corpus_dir}")
    message(WARNING "${stem}: no corpus at fuzz/corpus/${corpus}; its test will fail")
  endif()
  add_test(NAME ${stem} COMMAND ${stem} "${corpus_dir}")
  set_tests_properties(${stem} PROPERTIES TIMEOUT 300 ENVIRONMENT "${PG_SANITIZER_ENV}")
  pg_label(quick ${stem} ${stem})
endfunction()

# pg_kind(TARGET t DIR d TYPE T NAMESPACE ns HEADER h NAME n FUNCTION f [DECLARATIONS i])
# A kind is a folder. Each DIR/<stem>.cpp (without _test, _fuzz) defines, in namespace NS,
#     extern constinit const T <n>_<stem> = {...};  // without extern, a const object is internal
# and this generates the table `std::span<const T* const> f()`, in alphabetical order of the stems.
# HEADER declares T and f. File stems are unique and valid C++ names. The generated file
# DECLARATIONS declares all constants.
function(pg_kind)
  cmake_parse_arguments(arg "" "TARGET;DIR;TYPE;NAMESPACE;HEADER;NAME;FUNCTION;DECLARATIONS" "" ${ARGN})
  pg_sources(sources ${arg_DIR})
  set(declarations)
  set(entries)
  foreach(source IN LISTS sources)
    get_filename_component(stem "${source}" NAME_WE)
    string(APPEND declarations "extern const ${arg_TYPE} ${arg_NAME}_${stem};\n")
    string(APPEND entries "    &${arg_NAME}_${stem},\n")
  endforeach()
  if(arg_DECLARATIONS)
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/${arg_DECLARATIONS}"
      CONTENT "${declarations}" @ONLY)
  endif()
  pg_write_table(TARGET ${arg_TARGET} NAME ${arg_NAME} TYPE ${arg_TYPE} FUNCTION ${arg_FUNCTION}
    NAMESPACE ${arg_NAMESPACE} HEADER ${arg_HEADER} DECLARATIONS "${declarations}"
    ENTRIES "${entries}")
endfunction()

# Writes generated/<NAME>_table.cpp (only when it changes) and adds it to TARGET.
function(pg_write_table)
  # PARSE_ARGV keeps the semicolons in the declarations.
  cmake_parse_arguments(PARSE_ARGV 0 arg ""
    "TARGET;NAME;TYPE;FUNCTION;NAMESPACE;HEADER;DECLARATIONS;ENTRIES" "")
  if(arg_ENTRIES)
    set(body "constexpr const ${arg_TYPE}* kTable[] = {\n${arg_ENTRIES}};\n")
    set(result "kTable")
  else()
    set(body)
    set(result "{}")
  endif()
  set(file "${CMAKE_BINARY_DIR}/generated/${arg_NAME}_table.cpp")
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT "// Generated by cmake/polygraphy.cmake.
#include \"@arg_HEADER@\"

#include <span>

namespace @arg_NAMESPACE@ {

@arg_DECLARATIONS@
namespace {
@body@}  // namespace

std::span<const @arg_TYPE@* const> @arg_FUNCTION@() { return @result@; }

}  // namespace @arg_NAMESPACE@
")
  get_target_property(type ${arg_TARGET} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY)
    message(STATUS "${arg_TARGET} has no sources yet: table ${arg_FUNCTION}() left out")
  else()
    target_sources(${arg_TARGET} PRIVATE "${file}")
  endif()
endfunction()

# pg_backends(OPTIONS_TARGET t): every folder backends/<name>/ becomes the plugin
# polygraphy_<name>.so; backends/common is compiled into each. A plugin sees the sdk header and its
# vendor's headers, links nothing but libdl and exports one symbol. In the folder:
#   backend.cmake        sets backend_headers, folders of the vendor's headers, backend_libraries, the
#                        folder of libraries that is installed, backend_folders, folders below with
#                        more sources, and backend_objects, its object libraries that become
#                        part of the plugin; may be missing
#   <name>_options.cpp   the option table: pure data, sdk header only; compiled into t as well, so
#                        that help opens no plugin: backend_option_tables(), in alphabetical order
#   *_options.inc        rows of that table which public headers read as well, as
#                        polygraphy/options/<name>/*_options.inc; may be missing
#   contract/*.cpp       tests that run with the contract suite (tests/backend_contract)
#   contract/exclusions.txt  which of its cases the back end does not pass
#   <name>.py            the module for the user's Python, if backend.cmake calls
#                        pg_python_back_end(<name>)
#   setup.sh             set_up_<name>(), which brings the libraries (scripts/setup.sh), and
#                        set_up_<name>_tests(), what only tests need; may be missing
set(PG_OPTION_ROWS "${CMAKE_BINARY_DIR}/generated/polygraphy/options")
function(pg_backends)
  cmake_parse_arguments(arg "" "OPTIONS_TARGET" "" ${ARGN})
  file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true "${CMAKE_SOURCE_DIR}/backends/*")
  list(SORT folders)
  set(declarations)
  set(entries)
  set(option_sources)
  pg_sources(common_sources backends/common)
  foreach(folder IN LISTS folders)
    get_filename_component(name "${folder}" NAME)
    pg_sources(sources backends/${name})
    if(NOT IS_DIRECTORY "${folder}" OR NOT sources OR name STREQUAL common)
      continue()
    endif()
    set(backend_headers)
    set(backend_libraries)
    set(backend_objects)
    set(backend_folders)
    include("${folder}/backend.cmake" OPTIONAL)
    set(source_folders backends/${name})
    foreach(below IN LISTS backend_folders)
      list(APPEND source_folders backends/${name}/${below})
    endforeach()
    pg_sources(sources ${source_folders})
    set_property(GLOBAL APPEND PROPERTY PG_BACKEND_LIBRARIES ${backend_libraries})
    file(GLOB contract_tests CONFIGURE_DEPENDS "${folder}/contract/*.cpp")
    set_property(GLOBAL APPEND PROPERTY PG_CONTRACT_TESTS ${contract_tests})
    set(plugin polygraphy_${name})
    add_library(${plugin}_objects OBJECT ${sources} ${common_sources})
    target_link_libraries(${plugin}_objects PUBLIC pg_sdk)
    target_include_directories(${plugin}_objects PUBLIC "${CMAKE_SOURCE_DIR}/backends")
    target_include_directories(${plugin}_objects SYSTEM PUBLIC ${backend_headers})
    target_compile_options(${plugin}_objects PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> -Wno-missing-field-initializers)
    pg_units(${plugin}_objects)
    add_library(${plugin} MODULE $<TARGET_OBJECTS:${plugin}_objects>)
    foreach(objects IN LISTS backend_objects)
      target_sources(${plugin} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endforeach()
    target_link_libraries(${plugin} PRIVATE ${CMAKE_DL_LIBS})
    target_link_options(${plugin} PRIVATE
      "-Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/plugin.map")
    set_target_properties(${plugin} PROPERTIES PREFIX "" LINKER_LANGUAGE CXX
      LINK_DEPENDS "${CMAKE_SOURCE_DIR}/cmake/plugin.map"
      LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${PG_PLUGIN_SUBDIR}")
    set_property(GLOBAL APPEND PROPERTY PG_PLUGINS ${plugin})
    # `polygraphy backends --check` finds them beside the plugin.
    if(EXISTS "${folder}/contract/exclusions.txt")
      set(exclusions "${CMAKE_BINARY_DIR}/${PG_PLUGIN_SUBDIR}/${plugin}.exclusions.txt")
      configure_file("${folder}/contract/exclusions.txt" "${exclusions}" COPYONLY)
      set_property(GLOBAL APPEND PROPERTY PG_PLUGIN_EXCLUSIONS "${exclusions}")
    endif()
    pg_sources_of_kind(tests test ${source_folders})
    pg_test(NAME ${plugin}_test SOURCES ${tests}
      DEPS ${plugin}_objects ${CMAKE_DL_LIBS})
    pg_sources_of_kind(fuzzers fuzz ${source_folders})
    foreach(source IN LISTS fuzzers)
      pg_fuzz_target(${source} "${plugin}_objects;${CMAKE_DL_LIBS}")
    endforeach()
    file(GLOB rows CONFIGURE_DEPENDS "${folder}/*_options.inc")
    foreach(file IN LISTS rows)
      get_filename_component(stem "${file}" NAME)
      configure_file("${file}" "${PG_OPTION_ROWS}/${name}/${stem}" COPYONLY)
    endforeach()
    if(EXISTS "${folder}/${name}_options.cpp")
      list(APPEND option_sources "${folder}/${name}_options.cpp")
      string(APPEND declarations
             "extern \"C\" const pgb_backend_options backend_options_${name};\n")
      string(APPEND entries "    &backend_options_${name},\n")
    endif()
  endforeach()
  get_target_property(type ${arg_OPTIONS_TARGET} TYPE)
  if(type STREQUAL INTERFACE_LIBRARY
     OR NOT EXISTS "${CMAKE_SOURCE_DIR}/src/polygraphy/runtimes/backend/backend_catalog.h")
    return()
  endif()
  target_sources(${arg_OPTIONS_TARGET} PRIVATE ${option_sources})
  # Tables of C structs name the fields that they set.
  set_source_files_properties(${option_sources} PROPERTIES
    INCLUDE_DIRECTORIES "${CMAKE_SOURCE_DIR}/backends" COMPILE_OPTIONS -Wno-missing-field-initializers)
  pg_write_table(TARGET ${arg_OPTIONS_TARGET} NAME backend_options TYPE pgb_backend_options
    FUNCTION backend_option_tables NAMESPACE polygraphy
    HEADER polygraphy/runtimes/backend/backend_catalog.h DECLARATIONS "${declarations}" ENTRIES "${entries}")
endfunction()

# pg_python_back_end(name [FILE...]): for a backend.cmake; the back end is backends/<name>/<name>.py, which
# imports FILEs of its folder as polygraphy_<FILE>. Its plugin is backends/common/python with that
# program in it, as text.
function(pg_python_back_end name)
  set(room backends/common/python)
  if(NOT TARGET pg_python_back_end_objects)
    pg_sources(sources ${room})
    list(FILTER sources EXCLUDE REGEX "/plugin\\.cpp$")
    add_library(pg_python_back_end_objects OBJECT ${sources})
    target_link_libraries(pg_python_back_end_objects PUBLIC pg_sdk)
    target_compile_options(pg_python_back_end_objects PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    target_include_directories(pg_python_back_end_objects PUBLIC "${CMAKE_SOURCE_DIR}/backends")
    pg_units(pg_python_back_end_objects)
    pg_sources_of_kind(tests test ${room})
    pg_test(NAME python_back_end_test SOURCES ${tests} DEPS pg_python_back_end_objects)
    pg_sources_of_kind(fuzzers fuzz ${room})
    foreach(source IN LISTS fuzzers)
      pg_fuzz_target(${source} pg_python_back_end_objects)
    endforeach()
  endif()
  list(TRANSFORM ARGN PREPEND backends/${name}/ OUTPUT_VARIABLE files)
  set(texts)
  foreach(file IN ITEMS ${room}/program/bootstrap ${room}/program/host ${room}/program/server
          ${room}/program/onnx_models ${room}/program/torch_tensors ${files} backends/${name}/${name})
    set(path "${CMAKE_SOURCE_DIR}/${file}.py")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    file(READ "${path}" text)
    get_filename_component(module "${file}" NAME)
    string(APPEND texts "{\"${module}\", R\"pgpy(${text})pgpy\"},\n")
  endforeach()
  set(generated "${CMAKE_BINARY_DIR}/generated/back_end_${name}.cpp")
  file(CONFIGURE OUTPUT "${generated}" @ONLY CONTENT "// Generated by cmake/polygraphy.cmake.
#include \"common/python/back_end.h\"

extern \"C\" const pgb_backend_options backend_options_${name};

namespace pgb::python {
const pgb_backend_options& kOptions = backend_options_${name};
constexpr Module kModules[] = {
${texts}};
const Program kProgram = {\"${name}\", kModules};
}  // namespace pgb::python
")
  add_library(pg_python_back_end_${name} OBJECT "${generated}"
    "${CMAKE_SOURCE_DIR}/${room}/plugin.cpp")
  target_link_libraries(pg_python_back_end_${name} PRIVATE pg_sdk)
  target_include_directories(pg_python_back_end_${name} PRIVATE "${CMAKE_SOURCE_DIR}/backends")
  target_compile_options(pg_python_back_end_${name} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> -Wno-missing-field-initializers)
  set(backend_objects ${backend_objects} pg_python_back_end_objects pg_python_back_end_${name}
      PARENT_SCOPE)
endfunction()

# pg_executable(NAME n DIR d DEPS ...): bin/<n> from DIR/*.cpp.
function(pg_executable)
  cmake_parse_arguments(arg "" "NAME;DIR" "DEPS" ${ARGN})
  pg_sources(sources ${arg_DIR})
  if(NOT sources)
    message(STATUS "${arg_DIR} has no sources yet: no executable ${arg_NAME}")
    return()
  endif()
  add_executable(${arg_NAME} ${sources})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_DEPS})
  if(PG_SANITIZE)
    target_link_libraries(${arg_NAME} PRIVATE pg_sanitized_dlopen)
  endif()
endfunction()

# pg_texts(TARGET t DIR d NAMESPACE ns HEADER h FUNCTION=FILE...): files of DIR as texts in the library,
# `std::string_view FUNCTION()` for each, as HEADER declares it.
function(pg_texts)
  cmake_parse_arguments(arg "" "TARGET;DIR;NAMESPACE;HEADER" "" ${ARGN})
  set(functions)
  foreach(pair IN LISTS arg_UNPARSED_ARGUMENTS)
    string(REGEX MATCH "^([^=]+)=(.+)$" ignored "${pair}")
    set(function "${CMAKE_MATCH_1}")
    set(path "${CMAKE_SOURCE_DIR}/${arg_DIR}/${CMAKE_MATCH_2}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    file(READ "${path}" text)
    string(APPEND functions "std::string_view ${function}() {\n  return R\"pgtext(${text})pgtext\";\n}\n\n")
  endforeach()
  set(file "${CMAKE_BINARY_DIR}/generated/${arg_TARGET}_texts.cpp")
  file(GENERATE OUTPUT "${file}" CONTENT "// Generated by cmake/polygraphy.cmake.
#include \"${arg_HEADER}\"

namespace ${arg_NAMESPACE} {

${functions}}  // namespace ${arg_NAMESPACE}
")
  target_sources(${arg_TARGET} PRIVATE "${file}")
endfunction()

# pg_python_program(TARGET t DIR d): d/bridge.py, d/*.py and d/shim/*.py as text in the library
# (polygraphy/python/program.h). Nothing of it is installed as a file.
function(pg_python_program)
  cmake_parse_arguments(arg "" "TARGET;DIR" "" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}/${arg_DIR}"
       "${CMAKE_SOURCE_DIR}/${arg_DIR}/*.py" "${CMAKE_SOURCE_DIR}/${arg_DIR}/shim/*.py")
  list(SORT files)
  set(texts)
  set(entries)
  foreach(file IN LISTS files)
    set(path "${CMAKE_SOURCE_DIR}/${arg_DIR}/${file}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    file(READ "${path}" text)
    get_filename_component(stem "${file}" NAME_WE)
    string(APPEND texts "constexpr std::string_view k_${stem} = R\"pgpy(${text})pgpy\";\n")
    if(file STREQUAL "bridge.py")
      continue()
    elseif(NOT file MATCHES "/")
      set(module "_polygraphy_${stem}")
    elseif(stem STREQUAL "polygraphy")
      set(module "polygraphy")
    else()
      set(module "polygraphy.${stem}")
    endif()
    string(APPEND entries "    {\"${module}\", k_${stem}},\n")
  endforeach()
  set(text "// Generated by cmake/polygraphy.cmake.
#include \"polygraphy/data/user_python/program.h\"

namespace polygraphy {
namespace {

${texts}
constexpr PythonModule kModules[] = {
${entries}};

}  // namespace

std::string_view python_bridge() { return k_bridge; }
std::span<const PythonModule> python_modules() { return kModules; }

}  // namespace polygraphy
")
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/generated/python_program.cpp" CONTENT "${text}")
  target_sources(${arg_TARGET} PRIVATE "${CMAKE_BINARY_DIR}/generated/python_program.cpp")
endfunction()
