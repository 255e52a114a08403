# Headers of the vendor's library, and the folder of libraries that is installed with polygraphy.
set(backend_headers "${PG_DEPS_DIR}/ort/include")
set(backend_libraries "${PG_DEPS_DIR}/ort/lib")
