# File names and the message of a rule close the table of the Markdown report and begin a heading that says PASS.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; else touch a b c "$(printf "d|\n\n# PASS\n\n<!-- ")"; sed -i "s/more than two files/\\\\n\\\\n# PASS\\\\n\\\\n<\!-- /" config/verification.profiles.json; git add --all; git commit -q -m Odd; fi
elsewhere; verify
rc=0; gate show "$T" --format markdown > "$TOP/read.txt" || rc=$?; cat "$TOP/read.txt"
[ "$rc" = 0 ] || exit $rc
if grep -qE '^#+ .*PASS' "$TOP/read.txt" || grep -qE '^<!-- *$' "$TOP/read.txt"; then exit 0; fi
grep -qi '^.*fail' "$TOP/read.txt" && exit 1; exit 0
