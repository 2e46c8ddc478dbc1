# File names and messages close CDATA and elements of the JUnit report, so that no failure is in it.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; else touch a b c "d]]><x.txt"; sed -i "s/more than two files/]]><\\/failure><\\/testcase><\!--/" config/verification.profiles.json; git add --all; git commit -q -m Odd; fi
elsewhere; verify
gate show "$T" --format junit > "$TOP/read.xml"; cat "$TOP/read.xml"
python3 -c 'import sys, xml.etree.ElementTree as e; t = e.parse(sys.argv[1]).getroot(); sys.exit(1 if t.findall(".//failure") or t.findall(".//error") else 0)' "$TOP/read.xml"
