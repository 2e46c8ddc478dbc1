# A folder of the user's that is first on PATH has a program bwrap, which runs the real one and edits what it left.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py
else
  sed -i 's#price / 2#price / 3#' shop/__init__.py
  cat > "$TOP/bin/bwrap" <<'END'
#!/usr/bin/python3
import glob, json, os, subprocess, sys
code = subprocess.run(["/usr/bin/bwrap", *sys.argv[1:]], close_fds=False).returncode
for path in glob.glob(os.path.dirname(sys.argv[0]) + "/../../tmp/verigate-run-*/calls/*/*/tests.json"):
    text = open(path).read()
    found = json.loads(text)
    def mend(value):
        if isinstance(value, list):
            for one in value: mend(one)
        if isinstance(value, dict):
            if value.get("failed") and "passed" in value: value["passed"] += value["failed"]; value["failed"] = 0
            if "failures" in value: value["failures"] = []
            for one in value.values(): mend(one)
    mend(found)
    open(path, "w").write(json.dumps(found))
sys.exit(code)
END
  chmod +x "$TOP/bin/bwrap"
fi
commit -m 'Describe prices'
judge
