# `make install PREFIX=...`: an installed tree that needs neither this checkout nor any package.
#
#   bin/polygraphy                          the executable
#   lib/polygraphy/backends/*.so            its plugins
#   lib/polygraphy/engines/*/               the libraries of back ends that set-up brought
#   lib/polygraphy/*.a                      our libraries and the third parties they need
#   include/polygraphy/backend.h            for who writes a back end
#   include/polygraphy-<x.y>/               for who links the libraries
#   lib/cmake/polygraphy/                   find_package(polygraphy): polygraphy::graphsurgeon (the
#                                           graph library), polygraphy::polygraphy (and the debugging
#                                           library), polygraphy::default_evaluator
#   share/                                  completions, the man page, examples
#
# The component "program" is what scripts/release/dist.sh packs: the executable, its plugins, completions, the
# man page, documents and examples.

include(CMakePackageConfigHelpers)
set(package_dir lib/cmake/polygraphy)

get_property(libraries GLOBAL PROPERTY PG_LIBRARIES)
get_property(third_parties GLOBAL PROPERTY PG_THIRD_PARTIES)
get_property(archives GLOBAL PROPERTY PG_STATIC_ARCHIVES)
get_property(plugins GLOBAL PROPERTY PG_PLUGINS)
list(FILTER libraries EXCLUDE REGEX "^pg_(cli|contract)")

# First of all: a build of the program alone lacks most of what is installed.
function(require_built)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "COMPONENT" "TARGETS")
  foreach(target IN LISTS arg_TARGETS)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "EXECUTABLE|STATIC_LIBRARY|MODULE_LIBRARY|SHARED_LIBRARY")
      string(APPEND files " \"$<TARGET_FILE:${target}>\"")
    endif()
  endforeach()
  set(component)
  if(arg_COMPONENT)
    set(component COMPONENT ${arg_COMPONENT})
  endif()
  install(CODE "
    foreach(file IN ITEMS ${files})
      if(NOT EXISTS \"\${file}\")
        message(FATAL_ERROR \"Nothing is installed: \${file} is not built. `make install` builds first.\")
      endif()
    endforeach()
  " ${component})
endfunction()
set(program ${plugins})
if(TARGET polygraphy)
  list(APPEND program polygraphy)
endif()
require_built(TARGETS ${libraries})
require_built(TARGETS ${program} COMPONENT program)

install(TARGETS ${libraries} ${third_parties} pg_fmt pg_sdk EXPORT polygraphyTargets
        ARCHIVE DESTINATION lib/polygraphy)
install(EXPORT polygraphyTargets NAMESPACE polygraphy:: DESTINATION ${package_dir})
list(REMOVE_DUPLICATES archives)
install(FILES ${archives} DESTINATION lib/polygraphy)
configure_package_config_file(cmake/polygraphyConfig.cmake.in
  "${CMAKE_BINARY_DIR}/generated/polygraphyConfig.cmake" INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file("${CMAKE_BINARY_DIR}/generated/polygraphyConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/generated/polygraphyConfig.cmake"
  "${CMAKE_BINARY_DIR}/generated/polygraphyConfigVersion.cmake" DESTINATION ${package_dir})

install(DIRECTORY include/ DESTINATION ${PG_INSTALL_HEADERS} FILES_MATCHING PATTERN "*.h")
install(FILES "${CMAKE_BINARY_DIR}/generated/base/version.h" DESTINATION ${PG_INSTALL_HEADERS}/base)
install(DIRECTORY "${PG_OPTION_ROWS}" DESTINATION ${PG_INSTALL_HEADERS}/polygraphy)
install(DIRECTORY sdk/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md CHANGELOG.md GLOSSARY.md ARCHITECTURE.md CONTRIBUTING.md
        DESTINATION share/doc/polygraphy COMPONENT program)
install(DIRECTORY docs DESTINATION share/doc/polygraphy COMPONENT program)
install(DIRECTORY examples DESTINATION share/doc/polygraphy USE_SOURCE_PERMISSIONS COMPONENT program
        FILES_MATCHING PATTERN "*.cpp" PATTERN "*.sh" PATTERN "*.py" PATTERN "*.onnx" PATTERN "*.json"
        PATTERN "*.md" PATTERN "*.txt" PATTERN "*.yml" PATTERN "CMakeLists.txt" EXCLUDE PATTERN "*_test.cpp" EXCLUDE)

if(plugins)
  install(TARGETS ${plugins} LIBRARY DESTINATION ${PG_PLUGIN_SUBDIR} COMPONENT program)
  get_property(exclusions GLOBAL PROPERTY PG_PLUGIN_EXCLUSIONS)
  install(FILES ${exclusions} DESTINATION ${PG_PLUGIN_SUBDIR} COMPONENT program)
endif()
get_property(libraries_of_backends GLOBAL PROPERTY PG_BACKEND_LIBRARIES)
foreach(folder IN LISTS libraries_of_backends)
  get_filename_component(product "${folder}" DIRECTORY)
  get_filename_component(product "${product}" NAME)
  install(DIRECTORY "${folder}" DESTINATION "lib/polygraphy/engines/${product}"
          USE_SOURCE_PERMISSIONS)
endforeach()

if(TARGET polygraphy)
  install(TARGETS polygraphy RUNTIME DESTINATION bin COMPONENT program)
  # The executable writes these from its own option tables.
  install(CODE "
    set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    set(writer \"${PG_HOST_PROGRAM}\")
    if(NOT writer)
      set(writer \"\${prefix}/bin/polygraphy\")
    endif()
    foreach(kind_and_file
        completion-bash|bash-completion/completions/polygraphy
        completion-zsh|zsh/site-functions/_polygraphy
        completion-fish|fish/vendor_completions.d/polygraphy.fish
        man|man/man1/polygraphy.1)
      string(REPLACE \"|\" \";\" pair \"\${kind_and_file}\")
      list(GET pair 0 kind)
      list(GET pair 1 file)
      get_filename_component(folder \"\${prefix}/share/\${file}\" DIRECTORY)
      file(MAKE_DIRECTORY \"\${folder}\")
      execute_process(COMMAND \"\${writer}\" --generate \"\${kind}\"
        OUTPUT_FILE \"\${prefix}/share/\${file}\" RESULT_VARIABLE failed)
      if(failed)
        message(FATAL_ERROR \"polygraphy --generate \${kind} failed: \${failed}\")
      endif()
      message(STATUS \"Generated: \${prefix}/share/\${file}\")
    endforeach()
  " COMPONENT program)
endif()
