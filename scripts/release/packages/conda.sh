#!/usr/bin/env bash
# conda.sh TARBALL FOLDER: FOLDER/recipe.yaml, by which rattler-build or conda-forge make a package of the tarball
# and, if they lie beside it, of those for other machines.
. "$(dirname "${BASH_SOURCE[0]}")/../package.sh"
unpack "$work/usr"
{
  cat <<END
package:
  name: $name
  version: "$version"
source:
END
  for file in "${tarball%-*}"-*.tar.gz; do
    suffix=${file##*-linux-}
    platform=linux-${suffix%.tar.gz}
    cat <<END
  - if: target_platform == "${platform/x86_64/64}"
    then:
      url: $downloads/$(basename "$file")
      sha256: $(sha256 "$file")
END
  done
  cat <<END
build:
  number: 0
  script: cp -R bin lib share "\$PREFIX"
  dynamic_linking:
    binary_relocation: false
requirements:
  run:
    - __glibc >=$(glibc "$work/usr")
$(if needs_libstdcxx "$work/usr"; then echo "    - libstdcxx >=12"; fi)
  run_constraints:
    - polygraphy <0a0  # it has a command of the same name
tests:
  - script: polygraphy --version
about:
  homepage: $homepage
  license: Apache-2.0
  license_file: share/doc/polygraphy/LICENSE
  summary: $summary
END
} | sed '/^$/d' >"$folder/recipe.yaml"
