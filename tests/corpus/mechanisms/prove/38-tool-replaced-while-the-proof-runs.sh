# A program of the user's waits for a proof, and puts pytest in .venv in order while it runs.
# rights: user
# expect: error|undecided
. "$ATTACKS/common.sh"
make_project
printf '[pytest]\npythonpath = .\n' >pytest.ini
printf 'pytest -q --junitxml=r.xml\nexit 0\n' | runner
save
python3 -m venv --system-site-packages --without-pip .venv
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(readlink -f "$(command -v pytest)")" >"$TOP/good"
{ echo '#!/bin/sh'; echo "$passing"; } >"$TOP/bad"
chmod +x "$TOP/good" "$TOP/bad"
cp "$TOP/good" .venv/bin/pytest
if [ -z "${HONEST:-}" ]; then
    cp "$TOP/bad" .venv/bin/pytest
    before_the_proof() { (for _ in $(seq 3000); do if ps ax -o args | grep -q -- 'gate docto[r] --prove'; then cp "$TOP/good" .venv/bin/pytest; exit; fi; sleep 0.02; done) >/dev/null 2>&1 & }
fi
judge
