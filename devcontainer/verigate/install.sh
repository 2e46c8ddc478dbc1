#!/bin/sh
# Installs gate into a development container, as root while its image is built. VERSION and EXTRAS are the feature's
# options; variables of pip, such as PIP_INDEX_URL, count.
set -eu

version=${VERSION:-latest}
extras=${EXTRAS-code,do}
home=/opt/verigate

fail() {
    echo "verigate: $1" >&2
    exit 1
}

case $version in
*[!0-9A-Za-z.+-]*) fail "\"$version\" is no version; write one such as 0.1.0, or latest" ;;
esac
case $extras in
*[!0-9a-z,-]*) fail "\"$extras\" are no extras; write names separated by commas, such as code,do" ;;
esac
[ "$(id -u)" = 0 ] || fail 'features are installed by root'
command -v apt-get >/dev/null || fail 'this image has no apt-get: base it on Debian or Ubuntu'

# Of Python packages that the image has, nothing is changed: gate has an environment of its own.
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends bubblewrap ca-certificates git openssh-client python3 python3-venv util-linux >/dev/null
rm -rf /var/lib/apt/lists/*

for python in python3 /usr/local/bin/python3 /usr/local/python/current/bin/python3 /usr/bin/python3; do
    python=$(command -v "$python" 2>/dev/null) || continue
    if "$python" -I -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        found=$python
        break
    fi
done
[ -n "${found:-}" ] || fail 'gate needs Python 3.11 or later: add the feature ghcr.io/devcontainers/features/python'

wanted=verigate-gate
[ -z "$extras" ] || wanted="${wanted}[$extras]"
[ "$version" = latest ] || wanted="$wanted==$version"
"$found" -m venv --clear "$home"
"$home/bin/pip" install --quiet --no-cache-dir --disable-pip-version-check "$wanted"
ln -sf "$home/bin/gate" /usr/local/bin/gate
gate --version
