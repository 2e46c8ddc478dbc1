. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A disclosure whose reason holds escape sequences, carriage returns and a comment of HTML, to hide it in the reports.
pyshop
base
sed -i 's/^def test_total/@pytest.mark.skip\n&/; 1i import pytest' tests/test_total.py; breakit; commit 'Skip'
judge > "$T/first.out"; grep -o 'Weakens: .*(' "$T/first.out"
n=0; msg="Skip"; while read -r l; do msg="$msg"$'\n\n'"$l"$'x\e[2K\e[1A\e[2K\e[1A\r\e[8m <!-- \u202e y)'; done < <(grep -o 'Weakens: .*(' "$T/first.out")
git commit -q --amend -m "$msg"
judge "$BASE" --format markdown="$T/report.md" | cat -v
cat -v "$T/report.md" | head -20
echo "exit code: $rc"
