# The toolchain of scripts/release/platform.sh: GCC, and glibc 2.28 to link with, of the platform linux-<machine>
# in the folder PG_PLATFORM_DEPS (scripts/setup/platforms.sh).

if(NOT PG_PLATFORM_DEPS)
  set(PG_PLATFORM_DEPS "$ENV{PG_PLATFORM_DEPS}" CACHE PATH "What scripts/setup/platforms.sh brought")
endif()
# Trial compilations read this file, too.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PG_PLATFORM_DEPS)

get_filename_component(pg_platform "${PG_PLATFORM_DEPS}" NAME)
string(REGEX REPLACE "^linux-" "" pg_machine "${pg_platform}")
cmake_host_system_information(RESULT pg_host QUERY OS_PLATFORM)
if(NOT pg_machine STREQUAL pg_host)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR "${pg_machine}")
  set(CMAKE_C_COMPILER "${pg_machine}-linux-gnu-gcc")
  set(CMAKE_CXX_COMPILER "${pg_machine}-linux-gnu-g++")
  set(CMAKE_STRIP "${pg_machine}-linux-gnu-strip" CACHE FILEPATH "")
  set(pg_packages "${PG_PLATFORM_DEPS}/packages/usr")
  set(CMAKE_LIBRARY_PATH "${pg_packages}/lib/${pg_machine}-linux-gnu")
  set(CMAKE_INCLUDE_PATH /usr/include)
  set(CMAKE_FIND_ROOT_PATH "${PG_PLATFORM_DEPS}")
  set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
  set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
  set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
endif()

# The C++ library is linked in. libgcc is not: it finds frames by what the C library has.
set(pg_glibc "${PG_PLATFORM_DEPS}/glibc")
foreach(kind IN ITEMS EXE MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT
      "-B${pg_glibc} -L${pg_glibc} -static-libstdc++ -Wl,--allow-shlib-undefined")
endforeach()
