# cmake -D BUILD=... -D CXX=... -D MODEL=... -D WORK=... -P installed_tree.cmake
cmake_minimum_required(VERSION 3.22)

function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${text}\nexit status: ${failed}")
  endif()
  set(output "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
set(prefix "${WORK}/prefix")
must(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${prefix}")

foreach(file
    bin/polygraphy lib/polygraphy/backends/polygraphy_onnxrt.so
    lib/polygraphy/backends/polygraphy_openvino.so include/polygraphy/backend.h
    share/bash-completion/completions/polygraphy share/zsh/site-functions/_polygraphy
    share/fish/vendor_completions.d/polygraphy.fish share/man/man1/polygraphy.1)
  if(NOT EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "not installed: ${file}")
  endif()
  file(SIZE "${prefix}/${file}" size)
  if(size EQUAL 0)
    message(FATAL_ERROR "installed empty: ${file}")
  endif()
endforeach()

# Our own copy of the package may name no place on the machine that it was built on.
file(GLOB package "${prefix}/lib/cmake/polygraphy/*.cmake")
foreach(file IN LISTS package)
  file(READ "${file}" text)
  if(text MATCHES "/\\.deps/|${BUILD}")
    message(FATAL_ERROR "${file} names a folder of the build")
  endif()
endforeach()

# Headers stand on the standard library, the system and each other.
file(GLOB_RECURSE headers RELATIVE "${prefix}/include" "${prefix}/include/*.h")
file(GLOB_RECURSE public RELATIVE "${CMAKE_CURRENT_LIST_DIR}/../../include"
     "${CMAKE_CURRENT_LIST_DIR}/../../include/*.h")
list(LENGTH headers count)
list(LENGTH public expected)
math(EXPR expected "${expected} + 2")  # the sdk's, and the version
if(NOT count EQUAL expected)
  message(FATAL_ERROR "${count} headers are installed, but include/ and sdk/ have ${expected}")
endif()
foreach(header IN LISTS headers)
  file(STRINGS "${prefix}/include/${header}" lines REGEX "^ *# *include")
  foreach(line IN LISTS lines)
    if(line MATCHES "<[a-z_]+>|<(sys/[a-z]+|unistd|stddef|stdint|immintrin)\\.h>|<polygraphy/backend\\.h>")
      continue()
    endif()
    string(REGEX REPLACE "^([^/]+)/.*" "\\1" root "${header}")
    string(REGEX REPLACE ".*\"(.+)\".*" "\\1" name "${line}")
    if(EXISTS "${prefix}/include/${root}/${name}" OR EXISTS "${prefix}/include/${name}")
      continue()
    endif()
    message(FATAL_ERROR "${header}: '${line}' names nothing that is installed or everywhere")
  endforeach()
endforeach()

# A moved tree still works, in an environment with nothing in it.
file(RENAME "${prefix}" "${WORK}/moved")
set(prefix "${WORK}/moved")
must(env -i "${prefix}/bin/polygraphy" --version)
must(env -i "${prefix}/bin/polygraphy" run "${MODEL}" --onnxrt --openvino)
if(NOT output MATCHES "PASSED")
  message(FATAL_ERROR "the installed program compared two runtimes, but did not say PASSED:\n${output}")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${WORK}/wrong"
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX} -D COMPONENT=tensorrt
  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE text)
if(NOT failed OR NOT text MATCHES "tensorrt")
  message(FATAL_ERROR "a component that does not exist was found:\n${text}")
endif()
must(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${WORK}/consumer"
     -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Release
     -D EXAMPLES=${prefix}/share/doc/polygraphy/examples/graphsurgeon)
must(${CMAKE_COMMAND} --build "${WORK}/consumer" --parallel 2)
must("${WORK}/consumer/copy_model" "${MODEL}" "${WORK}/copy.onnx")
must(${CMAKE_COMMAND} -E compare_files "${MODEL}" "${WORK}/copy.onnx")
must("${WORK}/consumer/build_model" "${WORK}/built.onnx")
if(NOT output MATCHES "Variable \\(leaky_out_0\\)")
  message(FATAL_ERROR "build_model says:\n${output}")
endif()
must("${WORK}/consumer/copy_model" "${WORK}/built.onnx" "${WORK}/copy.onnx")
foreach(example_and_model 01_creating_a_model|test_globallppool.onnx 05_folding_constants|folded.onnx
        07_creating_a_model_with_layers|opset_18.onnx)
  string(REPLACE "|" ";" pair "${example_and_model}")
  list(GET pair 0 example)
  list(GET pair 1 model)
  must(${CMAKE_COMMAND} -E chdir "${WORK}/consumer" "./${example}")
  must("${prefix}/bin/polygraphy" run "${WORK}/consumer/${model}" --onnxrt)
endforeach()
foreach(example 01_build_and_run 02_load_and_run 03_comparing_runtimes 04_validating_on_a_data_set
        05_extending_a_loader 06_inputs_of_your_own 07_saved_results)
  must(env -i ${CMAKE_COMMAND} -E chdir "${WORK}/consumer" "./api_${example}")
endforeach()
must("${prefix}/bin/polygraphy" inspect data "${WORK}/consumer/inference_results.json")
must("${WORK}/consumer/list_kinds")
foreach(word simple onnxrt openvino)
  if(NOT output MATCHES "${word}")
    message(FATAL_ERROR "list_kinds does not list ${word}:\n${output}")
  endif()
endforeach()
must(env -i "${WORK}/consumer/evaluate")
if(NOT output STREQUAL "3 5\n")
  message(FATAL_ERROR "evaluate says:\n${output}")
endif()
# A third-party back end, built against the installed header, is found, shows its options, and runs.
set(polygraphy env -i "POLYGRAPHY_BACKENDS=${WORK}/consumer/backends" "${prefix}/bin/polygraphy")
must(${polygraphy} run --help)
if(NOT output MATCHES "--mine-shift NUMBER")
  message(FATAL_ERROR "run --help does not show the option of a back end from outside:\n${output}")
endif()
must(${polygraphy} backends)
if(NOT output MATCHES "mine [|] available [|] Run inference by multiplying")
  message(FATAL_ERROR "a back end from outside is not listed:\n${output}")
endif()
file(WRITE "${WORK}/model.scale" "2.5")
must(${polygraphy} run "${WORK}/model.scale" --mine --mine-shift 1 --val-range "[2,2]"
     --save-outputs "${WORK}/scaled.json")
must(${polygraphy} inspect data "${WORK}/scaled.json" -s)
if(NOT output MATCHES "\\[6 6 6 6\\]|\\[6\\. 6\\. 6\\. 6\\.\\]")
  message(FATAL_ERROR "a back end from outside delivers:\n${output}")
endif()
# The same by a path, and checked: nothing of the build tree is needed.
must(env -i "${prefix}/bin/polygraphy" backends --check mine --backend-path
     "${WORK}/consumer/backends/polygraphy_mine.so" --check-model "${WORK}/model.scale")
if(NOT output MATCHES "PASSED [|] back end mine")
  message(FATAL_ERROR "the check of a back end from outside says:\n${output}")
endif()
file(REMOVE_RECURSE "${WORK}")
