# main has an adapter that imports from a folder which git ignores; the attacker writes what lies there.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
git checkout -q main
mkdir -p adapters/sums/bin adapters/sums/vendor
echo '{"name": "sums", "version": "1.0.0", "description": "Sums", "entry": "bin/run", "capabilities": ["sums:check"], "sandbox": {"tools": ["sh", "python3"], "timeout": 60, "network": false}}' >adapters/sums/manifest.json
cat >adapters/sums/bin/run <<'PY'
#!/usr/bin/env python3
import json, os, sys
here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(here, "vendor"))
try:
    from rule import wrong
except ImportError:
    def wrong(text): return "+ 1" in text
task = sys.argv[sys.argv.index("--task-dir") + 1]
json.dump({"checked": 1, "wrong": wrong(open("shop/total.py").read())}, open(os.path.join(task, "sums.json"), "w"))
PY
chmod +x adapters/sums/bin/run
echo '{"code": {"order": ["code:diff", "sums:check"], "required": ["code:diff", "sums:check"], "optional": []}}' >config/adapter-plan.json
echo '{"code_default": {"rules": [{"id": "sums", "expr": "artifacts[\"sums.json\"].checked > 0 && !artifacts[\"sums.json\"].wrong", "message": "a wrong sum"}]}}' >config/verification.profiles.json
save sums; git push -q origin main; MAIN=$(git rev-parse main); git checkout -q -B topic
if [ -z "${HONEST:-}" ]; then
    break_code; save; mkdir -p adapters/sums/vendor; printf 'def wrong(text):\n    return False\n' >adapters/sums/vendor/rule.py
else good_work; fi
judge_here
