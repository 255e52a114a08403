# api/ is compiled once for each family of TensorRT, against its headers, with different names for
# the namespaces: so all three lie in one plugin.
foreach(family IN ITEMS v10 v11 rtx)
  string(REGEX REPLACE "^v" "" headers ${family})
  pg_sources(api_sources backends/tensorrt/api backends/tensorrt/api/building
    backends/tensorrt/api/running backends/tensorrt/api/describing)
  add_library(polygraphy_tensorrt_${family} OBJECT ${api_sources})
  target_link_libraries(polygraphy_tensorrt_${family} PRIVATE pg_sdk)
  target_include_directories(polygraphy_tensorrt_${family} PRIVATE "${CMAKE_SOURCE_DIR}/backends")
  target_include_directories(polygraphy_tensorrt_${family} SYSTEM PRIVATE
    "${PG_DEPS_DIR}/tensorrt/include/${headers}" "${CMAKE_SOURCE_DIR}/backends/tensorrt/cuda")
  target_compile_definitions(polygraphy_tensorrt_${family} PRIVATE
    nvinfer1=nvinfer1_${family} nvonnxparser=nvonnxparser_${family} TENSORRT_FAMILY=${family})
  target_compile_options(polygraphy_tensorrt_${family} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> -Wno-missing-field-initializers
    -Wno-deprecated-declarations
    # The library has these classes under their own names.
    $<$<BOOL:${PG_SANITIZE}>:-fno-sanitize=vptr>)
  pg_units(polygraphy_tensorrt_${family})
  pg_runs_once(polygraphy_tensorrt_${family})
  list(APPEND backend_objects polygraphy_tensorrt_${family})
endforeach()
