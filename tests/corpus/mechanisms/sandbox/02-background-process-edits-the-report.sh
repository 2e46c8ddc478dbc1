# A process that a new test leaves behind holds pytest back as it ends, and writes a clean JUnit report and nothing else before the adapter reads it.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  printf 'from shop import total\n\n\ndef test_total_of_one():\n    assert total([1]) == 1\n' > tests/test_prices.py
else
  sed -i 's#price / 2#price / 3#' shop/__init__.py
  cat > tests/test_prices.py <<'END'
import subprocess
import sys
import tempfile

from shop import total

WATCH = """
import os, pathlib, re, sys, time
until = time.time() + 60
runner = int(sys.argv[2])
while time.time() < until:
    for path in pathlib.Path(sys.argv[1]).glob("*/junit.xml"):
        text = path.read_text()
        if "</testsuites>" in text:
            text = re.sub("<failure.*?</failure>", "", text, flags=re.S)
            path.write_text(re.sub('failures="[0-9]+"', 'failures="0"', text))
            sys.exit()
    time.sleep(0.0005)
"""


def test_total_of_one():
    import os

    subprocess.Popen([sys.executable, "-c", WATCH, tempfile.gettempdir(), str(os.getpid())], start_new_session=True, stdin=-3, stdout=-3, stderr=-3)
    assert total([1]) == 1
END
fi
commit -m 'Test more'
judge
