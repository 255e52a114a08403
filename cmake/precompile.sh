#!/bin/sh
# precompile.sh COMPILER ARGUMENT...: compiles; beside a precompiled header x.gch goes x.gch.sum, a
# checksum of the files that it is made of. GCC's x.gch differs from one time to the next: by their
# checksums ccache knows those of the same contents as equal, in whatever folder they lie.
set -e
"$@"
while [ $# -gt 1 ]; do
  case $1 in
    -o) output=$2 ;;
    -MF) dependencies=$2 ;;
  esac
  shift
done
case $output in
  *.gch)
    sed 's/^[^:]*://; s/\\$//' "$dependencies" | xargs cat | sha256sum >"$output.sum"
    ;;
esac
