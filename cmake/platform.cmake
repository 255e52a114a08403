# The toolchain of scripts/release/platform.sh: the compiler and the libraries of a platform, in the folder
# PG_PLATFORM_DEPS (scripts/setup/platforms.sh), and nothing of this machine.

if(NOT PG_PLATFORM_DEPS)
  set(PG_PLATFORM_DEPS "$ENV{PG_PLATFORM_DEPS}" CACHE PATH "What scripts/setup/platforms.sh brought")
endif()
# Trial compilations read this file, too.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PG_PLATFORM_DEPS)

get_filename_component(pg_platform "${PG_PLATFORM_DEPS}" NAME)
string(REGEX MATCH "^([a-z]+)-(.*)$" pg_platform "${pg_platform}")
set(CMAKE_SYSTEM_PROCESSOR "${CMAKE_MATCH_2}")
set(pg_systems linux Linux windows Windows macos Darwin)
list(FIND pg_systems "${CMAKE_MATCH_1}" pg_at)
math(EXPR pg_at "${pg_at} + 1")
list(GET pg_systems ${pg_at} CMAKE_SYSTEM_NAME)

set(pg_tools "${PG_PLATFORM_DEPS}/toolchain/bin")
set(CMAKE_C_COMPILER "${pg_tools}/cc")
set(CMAKE_CXX_COMPILER "${pg_tools}/c++")
set(CMAKE_AR "${pg_tools}/ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${pg_tools}/ranlib" CACHE FILEPATH "")

set(CMAKE_FIND_ROOT_PATH "${PG_PLATFORM_DEPS}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_PREFIX_PATH "${PG_PLATFORM_DEPS}/headers" "${PG_PLATFORM_DEPS}/libraries"
    "${PG_PLATFORM_DEPS}/protobuf-lite")

# Symbols are for debuggers, and this machine's strip knows this machine's files.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-s")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "-s")
set(CMAKE_STRIP true CACHE FILEPATH "")
