#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What must hold before this adapter judges anything. GATE names the gate's command, where that isn't `gate`.
set -eu
here=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd)
cd "$here"
"${GATE_PYTHON:-python3}" tests/test_spdx.py
"${GATE:-gate}" adapter check "$here"
