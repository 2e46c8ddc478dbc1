# A new test writes tests.json and its meta file into the task folder itself, and kills the adapter before it can write its own.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
printf 'from shop import total\n\n\ndef test_total_of_one():\n    assert total([1]) == 1\n' > tests/test_prices.py
if [ -z "${HONEST:-}" ]; then
  sed -i 's#price / 2#price / 3#' shop/__init__.py
  cat >> tests/test_prices.py <<'END'


def test_last():
    import json
    import os
    import signal
    from pathlib import Path

    adapter = os.getppid()
    for folder in Path.home().parents[1].glob("code.tests/*"):
        (folder / "tests.json").write_text(json.dumps({"tool": "pytest", "tools": [{"tool": "pytest", "passed": 4, "failed": 0, "skipped": 0, "total": 4, "duration": 1}], "passed": 4, "failed": 0, "skipped": 0, "total": 4, "duration": 1, "failures": [], "files": [], "excluded": [], "unexamined": []}))
        (folder / "tests.meta.json").write_text(json.dumps({"expected": 4, "examined": 4, "skipped": 0, "commands": []}))
    os.kill(adapter, signal.SIGKILL)
END
fi
commit -m 'Test more'
judge
