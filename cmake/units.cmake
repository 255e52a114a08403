# PG_UNITS: several sources are compiled as one, which costs half. cmake/units.py says which may be. The
# preset release has it; the others compile source by source, so that one changed file is one object.

option(PG_UNITS "Compile several sources as one" OFF)

# pg_units(TARGET): its sources are grouped when all targets are described.
function(pg_units target)
  set_property(GLOBAL APPEND PROPERTY PG_UNIT_TARGETS ${target})
endfunction()

# pg_form_units(): puts units in the place of the sources. A changed source may need other units, so
# the next build describes the targets again.
function(pg_form_units)
  get_property(targets GLOBAL PROPERTY PG_UNIT_TARGETS)
  if(NOT PG_UNITS OR NOT targets)
    return()
  endif()
  set(lines)
  foreach(target IN LISTS targets)
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    set(grouped)
    set(others)
    foreach(source IN LISTS sources)
      get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
      get_source_file_property(options "${source}" COMPILE_OPTIONS)
      if(path MATCHES "\\.cpp$" AND EXISTS "${path}" AND NOT options)
        list(APPEND grouped "${path}")
      else()
        list(APPEND others "${source}")
      endif()
    endforeach()
    list(LENGTH grouped count)
    if(count GREATER 1)
      set_target_properties(${target} PROPERTIES SOURCES "${others}")
      list(JOIN grouped "|" grouped)
      list(APPEND lines "${target}|${grouped}")
    endif()
  endforeach()
  set(out "${CMAKE_BINARY_DIR}/units")
  list(JOIN lines "\n" lines)
  string(REGEX REPLACE "[|\n]" ";" sources "${lines}")
  list(FILTER sources INCLUDE REGEX "^${CMAKE_SOURCE_DIR}/")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  file(WRITE "${out}/sources.txt" "${lines}\n")
  set(script "${CMAKE_SOURCE_DIR}/cmake/units.py")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${script}")
  execute_process(COMMAND "${Python3_EXECUTABLE}" -B "${script}" "${out}/sources.txt" "${out}"
      "${CMAKE_SOURCE_DIR}/include" "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/sdk/include"
      "${CMAKE_SOURCE_DIR}/backends" "${CMAKE_SOURCE_DIR}/python/extension"
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${script} failed: ${failed}")
  endif()
  file(STRINGS "${out}/units.txt" lines)
  foreach(line IN LISTS lines)
    string(REPLACE "|" ";" units "${line}")
    list(POP_FRONT units target)
    target_sources(${target} PRIVATE ${units})
    # A type of a source that holds one of its private types is of a source all the same.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endforeach()
endfunction()
