#!/bin/sh
# What must hold before this adapter judges anything. GATE names the gate's command, where that isn't `gate`.
set -eu
here=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd)
cd "$here"
prove t
"${GATE:-gate}" adapter check "$here"
