# Compiler flags and output folders for everything in this tree.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Dev or Release" FORCE)
endif()
# Dev: assertions on, quick to compile, still debuggable and fast enough for big models.
set(CMAKE_CXX_FLAGS_DEV "-O1 -g1")
set(CMAKE_C_FLAGS_DEV "-O1 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # No garbage collection inside of the compiler below 1 GB: a sixteenth of its time.
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " --param=ggc-min-heapsize=1000000")
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

add_compile_options(-Wall -Wextra -Wshadow
                    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
                    -ffunction-sections -fdata-sections)
option(PG_WERROR "Warnings are errors: in the presets dev, asan and tsan, and in CI" OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # This compiler reports false overlaps and overruns in inlined std::string.
  add_compile_options(-Wno-array-bounds -Wno-restrict)
endif()
if(PG_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # These depend on what was inlined, and on the code of sanitizers in between: a developer looks at
  # them, a user's build hides them.
  foreach(warning IN ITEMS maybe-uninitialized stringop-overflow stringop-overread)
    add_compile_options(-Wno-$<$<BOOL:${PG_WERROR}>:error=>${warning})
  endforeach()
endif()
# --gc-sections drops what an executable does not use; --as-needed keeps DT_NEEDED honest.
add_link_options(-Wl,--gc-sections -Wl,--as-needed)

if(NOT PG_SANITIZE AND NOT PG_FUZZ)
  # Keeps the symbols of static third parties out of what we export. The sanitizers' runtime is an
  # archive too, and must export its malloc.
  add_link_options(-Wl,--exclude-libs,ALL)
endif()

if(PG_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
  set(PG_SANITIZER_ENV
    "TSAN_OPTIONS=halt_on_error=0:second_deadlock_stack=1:handle_segv=0:allocator_may_return_null=1:suppressions=${CMAKE_SOURCE_DIR}/scripts/tsan.supp")
elseif(PG_SANITIZE OR PG_FUZZ)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # Engines leak memory, which we cannot fix. Our handler reports crashes: the tests of crashing
  # engines read its message. Excessive allocations fail, as elsewhere.
  set(PG_SANITIZER_ENV
    "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:handle_segv=0:allocator_may_return_null=1"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "LSAN_OPTIONS=print_suppressions=0:suppressions=${CMAKE_SOURCE_DIR}/scripts/lsan.supp")
endif()
if(PG_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "PG_FUZZ needs clang++ (libFuzzer); use `cmake --preset fuzz`")
  endif()
  # Coverage feedback everywhere; only the fuzz targets get libFuzzer's main.
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_compile_definitions(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
endif()

find_program(PG_CCACHE ccache)
if(PG_CCACHE)
  # Paths below the checkout count as relative, so that clones and build folders share what they have
  # compiled.
  set(launcher "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      "CCACHE_IGNOREOPTIONS=-Werror -Wno-error*"
      CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros "${PG_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${launcher}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${launcher}")
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

# Libraries go to lib/, whatever the distribution: the executable looks for its plugins in
# ../lib/polygraphy/backends, in the build tree as in the installed one.
set(CMAKE_INSTALL_LIBDIR lib)
include(GNUInstallDirs)
set(PG_INSTALL_HEADERS
    "${CMAKE_INSTALL_INCLUDEDIR}/polygraphy-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(PG_PLUGIN_SUBDIR "lib/polygraphy/backends")
