#!/usr/bin/env bash
# try_roots.sh FILES [SUITE...]: tries the files of a release, in the folder FILES, as users get them: in minimal
# roots of distributions, as root and as a user, with and without HOME. In each it installs the wheels by the commands
# of README.md (where Python is older than 3.10, the tarball), runs README.md's other commands and a comparison in
# Python; then it installs the .deb and removes it. Needs root, mmdebstrap and the network; takes some minutes a
# root. By hand, before a release, or nightly: `make release release-try`.
#
# The interpreters are those of the distributions' packages:
#   3.9 bullseye (Debian 11)    3.11 bookworm (Debian 12)    3.13 trixie (Debian 13)
#   3.10 jammy (Ubuntu 22.04)   3.12 noble (Ubuntu 24.04)    3.14 resolute (Ubuntu 26.04)
# Debian's signatures are checked by the keys of this machine, Ubuntu's by those that Debian 13 has in a package.
#   ROOTS=FOLDER   where roots are kept for the next time (build/roots)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
files=$(realpath "$1")
suites=("${@:2}")
[ ${#suites[@]} -gt 0 ] || suites=(bullseye bookworm trixie jammy noble resolute)
roots=$(realpath -m "${ROOTS:-build/roots}")
keys=$roots/keys/usr/share/keyrings/ubuntu-archive-keyring.gpg
mkdir -p "$roots"

# make_root SUITE
make_root() {
  local root=$roots/$1 options=()
  case $1 in
    jammy | noble | resolute)
      [ -e "$keys" ] || mmdebstrap --quiet --variant=extract --include=ubuntu-keyring trixie "$roots/keys"
      options=(--components=main,universe --keyring="$keys")
      ;;
  esac
  rm -rf "$root.new"
  mmdebstrap --quiet --variant=apt --include=python3-venv "${options[@]}" "$1" "$root.new" || return 1
  echo 'somebody:x:1000:1000::/home/somebody:/bin/sh' >>"$root.new/etc/passwd"
  mkdir -p "$root.new/home/somebody"
  chown 1000:1000 "$root.new/home/somebody"
  mv "$root.new" "$root"
}

# inside SUITE CHROOT_OPTION... -- [VARIABLE=VALUE]... COMMAND...: in the root, with nothing of this environment.
inside() {
  local root=$roots/$1 options=()
  shift
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  unshare --mount --pid --fork --mount-proc="$root/proc" chroot "${options[@]}" "$root" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 PIP_CERT=/certificates.crt PIP_CACHE_DIR=/pip-cache \
    PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore "${@:2}"
}

# block TEXT: the commands of README.md in the first block with the text.
block() {
  awk -v text="$1" '/^```sh/ {block = ""; inside = 1; next}
    /^```/ {if (inside && index(block, text)) {printf "%s", block; exit} inside = 0}
    inside {block = block $0 "\n"}' README.md
}
commands() {
  echo 'set -eux'
  echo 'cd "$1"; cp /files/* .'
  if [ "$1" = 3.9 ]; then
    # Engines for this Python have no separate library.
    echo 'python3 -m venv env; . env/bin/activate; tar xzf polygraphy-*-x86_64.tar.gz'
    echo 'pip install -q --target env/lib/python3.9/site-packages --only-binary :all: --no-deps \
      --python-version 3.11 --platform manylinux_2_28_x86_64 onnxruntime'
    echo 'PATH=$(echo "$PWD"/polygraphy-*/bin):$PATH; cd polygraphy-*/share/doc/polygraphy'
  else
    block 'pip install'
  fi
  cat <<'END'
polygraphy --version
polygraphy inspect model examples/quantized/int8.onnx | grep '27 Node(s)'
polygraphy --generate man >manual
set +e
END
  block 'surgeon extract'
  cat <<'END'
set -e
grep -q block2.conv2 locate.html
polygraphy inspect model guilty.onnx | grep '2 Node(s)'
set +e
END
  [ "$1" != 3.9 ] || return 0
  block magika
  cat <<'END'
set -e
for file in report/report.txt golden.json folded.onnx part.onnx; do test -s "$file"; done
polygraphy run $float --onnxrt --openvino
polygraphy debug reduce examples/debugging/models/nan.onnx -o nan.onnx \
  --check polygraphy run polygraphy_debug.onnx --onnxrt --validate
cmp manual "$VIRTUAL_ENV/share/man/man1/polygraphy.1"
python -c 'import polygraphy_native as pn
answer = pn.compare("examples/quantized/float.onnx", backends=["onnxrt", "openvino"]).answer
print(answer.headline)
assert answer.agreement == "agrees", answer'
python -m polygraphy_native -c 'import onnx_graphsurgeon, polygraphy.comparator'
END
}

status=0
for suite in "${suites[@]}"; do
  root=$roots/$suite log=$roots/$suite.log
  [ -e "$root" ] || make_root "$suite" >"$log" 2>&1 || { tail "$log"; echo "$suite: no root"; status=1; continue; }
  rm -rf "$root/files" "$root"/try-*
  mkdir -p "$root/files" "$root/pip-cache"
  chmod 777 "$root/pip-cache"
  cp "$files"/polygraphy*.whl "$files"/polygraphy-*-x86_64.tar.gz "$root/files"
  cp /etc/ssl/certs/ca-certificates.crt "$root/certificates.crt"
  python=$(inside "$suite" -- python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  commands "$python" >"$root/commands.sh"
  for user in root:0 somebody:1000; do
    for home in "HOME=$([ "$user" = root:0 ] && echo /root || echo /home/somebody)" ""; do
      case=${user%:*}${home:+-with-home}
      mkdir "$root/try-$case"
      chown "${user#*:}:${user#*:}" "$root/try-$case"
      result=passed
      inside "$suite" --userspec="${user#*:}:${user#*:}" -- ${home:+"$home"} sh /commands.sh "/try-$case" \
        >"$log" 2>&1 || { tail -n 20 "$log"; result=FAILED status=1; }
      printf '%s, Python %s, %s: %s\n' "$suite" "$python" "$case" "$result"
      rm -rf "$root/try-$case"
    done
  done
  for package in "$files"/*_amd64.deb; do
    [ -e "$package" ] || continue
    cp "$package" "$root/package.deb"
    result=passed
    inside "$suite" -- sh -euxc '
      apt-get update -qq; apt-get install -qq --no-install-recommends /package.deb
      test "$(command -v polygraphy)" = /usr/bin/polygraphy; polygraphy --version
      apt-get purge -qq polygraphy-native; test ! -e /usr/bin/polygraphy; test ! -e /usr/lib/polygraphy
      ' >"$log" 2>&1 || { tail -n 20 "$log"; result=FAILED status=1; }
    printf '%s, .deb: %s\n' "$suite" "$result"
  done
done
exit $status
