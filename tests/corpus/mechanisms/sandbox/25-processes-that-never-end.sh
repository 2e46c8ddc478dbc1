# A new test leaves hundreds of processes behind that ignore signals and wait for the adapter's file to be there.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
printf 'from shop import total\n\n\ndef test_total_of_one():\n    assert total([1]) == 1\n' > tests/test_prices.py
if [ -z "${HONEST:-}" ]; then
  sed -i 's#price / 2#price / 3#' shop/__init__.py
  cat >> tests/test_prices.py <<'END'


def test_many():
    import subprocess
    from pathlib import Path

    folder = Path.home().parents[1]
    for number in range(40):
        subprocess.Popen(["setsid", "sh", "-c", f"trap '' TERM HUP INT; while :; do for f in {folder}/code.tests/*/tests.json; do [ -s $f ] && sed -i 's/\"failed\": *[0-9]*/\"failed\": 0/g' $f; done; done"], stdin=-3, stdout=-3, stderr=-3)
END
fi
commit -m 'Test more'
judge
