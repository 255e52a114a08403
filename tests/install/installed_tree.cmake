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
list(LENGTH headers count)
if(count LESS 100)
  message(FATAL_ERROR "only ${count} headers are installed")
endif()
foreach(header IN LISTS headers)
  file(STRINGS "${prefix}/include/${header}" lines REGEX "^ *# *include")
  foreach(line IN LISTS lines)
    if(line MATCHES "<[a-z_]+>|<(sys/[a-z]+|unistd|stddef|stdint)\\.h>|<polygraphy/backend\\.h>")
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
  message(FATAL_ERROR "the installed program compared two engines, but did not say PASSED:\n${output}")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${WORK}/wrong"
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX} -D COMPONENT=tensorrt
  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE text)
if(NOT failed OR NOT text MATCHES "tensorrt")
  message(FATAL_ERROR "a component that does not exist was found:\n${text}")
endif()
must(${CMAKE_COMMAND} -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${WORK}/consumer"
     -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Release)
must(${CMAKE_COMMAND} --build "${WORK}/consumer")
must("${WORK}/consumer/copy_model" "${MODEL}" "${WORK}/copy.onnx")
must(${CMAKE_COMMAND} -E compare_files "${MODEL}" "${WORK}/copy.onnx")
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
file(REMOVE_RECURSE "${WORK}")
