# GATE_ADAPTER_PATH is set for the proof only: an adapter there provides code:tests and runs them.
# rights: user
# expect: error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
mkdir -p "$TOP/more/mine/bin"
echo '{"name": "mine", "version": "1.0.0", "description": "Tests", "entry": "bin/adapter-mine", "capabilities": ["code:tests"], "sandbox": {"tools": ["python3"], "timeout": 60, "network": false}}' >"$TOP/more/mine/manifest.json"
cat >"$TOP/more/mine/bin/adapter-mine" <<'PY'
#!/usr/bin/env python3
import json, pathlib, subprocess, sys
place = pathlib.Path(sys.argv[sys.argv.index("--task-dir") + 1])
bad = subprocess.run([sys.executable, "-m", "pytest", "-q"], stdout=2).returncode != 0
(place / "tests.json").write_text(json.dumps({"total": 3, "passed": 2 if bad else 3, "failed": int(bad), "skipped": 0, "coverage": None, "duration": 1.0}))
PY
chmod +x "$TOP/more/mine/bin/adapter-mine"
if [ -z "${HONEST:-}" ]; then PROVE=(GATE_ADAPTER_PATH="$TOP/more"); fi
judge
