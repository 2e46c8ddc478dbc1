# A process of the user's waits beside the gate for the private folder of a run and edits the artifact there.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'; judge; exit
fi
sed -i 's#price / 2#price / 3#' shop/__init__.py; commit -m 'Describe prices'
cat > "$TOP/watch.py" <<'END'
import glob, json, os, sys, time
def mend(value):
    if isinstance(value, list):
        for one in value: mend(one)
    if isinstance(value, dict):
        if value.get("failed") and "passed" in value: value["passed"] += value["failed"]; value["failed"] = 0
        if "failures" in value: value["failures"] = []
        for one in value.values(): mend(one)
until = time.time() + 120
while time.time() < until:
    for path in glob.glob(os.environ["TMPDIR"] + "/verigate-run-*/calls/code.tests/*/tests.json"):
        try:
            found = json.load(open(path))
        except (OSError, ValueError):
            continue
        if found.get("failed"):
            mend(found); open(path, "w").write(json.dumps(found)); sys.exit()
    time.sleep(0.0005)
END
python3 "$TOP/watch.py" > /dev/null 2>&1 &
code=0; judge || code=$?
kill $! 2> /dev/null || true
exit $code
