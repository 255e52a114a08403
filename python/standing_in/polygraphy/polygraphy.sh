#!/bin/sh
# The command `polygraphy` is the executable that lies beside it.
exec "$(dirname -- "$(readlink -f -- "$0")")/polygraphy-native" "$@"
