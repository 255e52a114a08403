#!/usr/bin/env bash
# homebrew.sh TARBALL FOLDER: FOLDER/polygraphy-native.rb, a formula for the tarball and, if they lie beside it, those
# for other machines.
. "$(dirname "${BASH_SOURCE[0]}")/../package.sh"
{
  cat <<END
class PolygraphyNative < Formula
  desc "$summary"
  homepage "$homepage"
  license "Apache-2.0"
  depends_on :linux
END
  for file in "${tarball%-*}"-*.tar.gz; do
    case $file in *-aarch64.tar.gz) on=arm ;; *) on=intel ;; esac
    cat <<END
  on_$on do
    url "$downloads/$(basename "$file")"
    sha256 "$(sha256 "$file")"
  end
END
  done
  cat <<END
  def install
    prefix.install "bin", "lib", "share"
  end
  test do
    assert_match "$version", shell_output("#{bin}/polygraphy --version")
  end
end
END
} >"$folder/$name.rb"
