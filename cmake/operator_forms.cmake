# The forms of all operators that the onnx library knows, as lines PG_OPERATOR(set, version, name)
# in generated/OUTPUT, for src/graphsurgeon/onnx/schema_table.cpp: taken from the headers in which
# the library itself lists them, so that each can be made on demand.
function(pg_operator_forms)
  cmake_parse_arguments(arg "" "INCLUDE;OUTPUT" "" ${ARGN})
  set(lines)
  foreach(header operator_sets operator_sets_ml operator_sets_preview operator_sets_training)
    set(path "${arg_INCLUDE}/onnx/defs/${header}.h")
    if(NOT EXISTS "${path}")
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    file(READ "${path}" text)
    string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
    string(REPLACE "ONNX_PREVIEW_OPERATOR_SET_SCHEMA_CLASS_NAME("
           "ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(OnnxPreview, " text "${text}")
    string(REGEX MATCHALL "GetOpSchema< ?ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME\\([^)]*\\)"
           forms "${text}")
    list(TRANSFORM forms REPLACE ".*\\( ?([^)]*)\\)" "PG_OPERATOR(\\1)")
    list(APPEND lines ${forms})
  endforeach()
  list(JOIN lines "\n" text)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/${arg_OUTPUT}" CONTENT "${text}\n" @ONLY)
endfunction()
