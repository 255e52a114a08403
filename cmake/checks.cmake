# Checks of the tree and of what it builds into, as tests.

# The arrows between the libraries, as declared in the root CMakeLists.txt.
get_property(layers GLOBAL PROPERTY PG_LAYERS)
list(JOIN layers ",\n" layers)
file(CONFIGURE OUTPUT generated/layers.json CONTENT "{\n${layers}\n}\n" @ONLY)

find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Checks read build results.
add_dependencies(quick_tests product)

function(pg_check name)
  add_test(NAME ${name} COMMAND Python3::Interpreter ${ARGN}
           WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  pg_label(quick ${name})
endfunction()

pg_check(check_layers scripts/check_layers.py "${CMAKE_BINARY_DIR}/generated/layers.json")
pg_check(check_python_layers scripts/check_python_layers.py)
pg_check(check_citations scripts/check_citations.py)
pg_check(check_messages scripts/check_messages.py)
pg_check(check_comments scripts/check_comments.py)
pg_check(check_comments_rules -m doctest scripts/check_comments.py)
pg_check(check_public_names scripts/public_names.py)
pg_check(check_size scripts/size.py --check)
pg_check(check_commits_rules -m doctest scripts/check_commits.py)

if(NOT PG_SANITIZE AND NOT PG_FUZZ)
  get_property(plugins GLOBAL PROPERTY PG_PLUGINS)
  list(TRANSFORM plugins REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  get_property(libraries GLOBAL PROPERTY PG_LIBRARIES)
  set(archives)
  foreach(library IN LISTS libraries)
    get_target_property(type ${library} TYPE)
    if(type STREQUAL STATIC_LIBRARY AND NOT library MATCHES "^pg_cli")
      list(APPEND archives "$<TARGET_FILE:${library}>")
    endif()
  endforeach()
  pg_check(check_silent_libraries scripts/check_binaries.py silent ${archives})
  pg_check(check_plugins scripts/check_binaries.py plugins ${plugins})
  if(TARGET polygraphy_native)
    pg_check(check_extension scripts/check_binaries.py extension $<TARGET_FILE:polygraphy_native>)
  endif()
  if(TARGET polygraphy)
    pg_check(check_docs scripts/check_docs.py $<TARGET_FILE:polygraphy>)
    pg_check(check_executable scripts/check_binaries.py executable $<TARGET_FILE:polygraphy>)
  endif()
endif()

# The sdk header is C, and authors of back ends may compile it with strict warnings.
if(EXISTS "${CMAKE_SOURCE_DIR}/sdk/include/polygraphy/backend.h")
  file(CONFIGURE OUTPUT generated/alone/sdk.c CONTENT "#include <polygraphy/backend.h>\nint pgb_unused;\n")
  file(CONFIGURE OUTPUT generated/alone/sdk.cpp CONTENT "#include <polygraphy/backend.h>\n")
  add_library(pg_sdk_headers OBJECT "${CMAKE_BINARY_DIR}/generated/alone/sdk.c"
              "${CMAKE_BINARY_DIR}/generated/alone/sdk.cpp")
  target_link_libraries(pg_sdk_headers PRIVATE pg_sdk)
  set_target_properties(pg_sdk_headers PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF CXX_STANDARD 11)
  target_compile_options(pg_sdk_headers PRIVATE -Wpedantic -Werror)
endif()
