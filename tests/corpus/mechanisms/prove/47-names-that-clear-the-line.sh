# Names of test files and folders have control sequences that would clear the lines which say what is missed.
# rights: none
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
folder=$(printf 'tests/\033[2K\033[1A\033[2K'); mkdir "$folder"
{ for n in 1 2 3; do printf 'def test_%s():\n    assert %s\n\n\n' "$n" "$n"; done; } >"$(printf '%s/test_\r\033[8m.py' "$folder")"
save
judge >"$TOP/printed.txt" 2>&1 && code=0 || code=$?
if grep -q "$(printf '\033')" "$TOP/printed.txt"; then echo "control characters in the output"; exit 0; fi
cat "$TOP/printed.txt"; exit "$code"
