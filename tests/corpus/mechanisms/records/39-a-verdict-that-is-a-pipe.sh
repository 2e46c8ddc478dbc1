# verdict.json is a named pipe, into which a process writes the fail for the digest and the pass for the reader.
# rights: user
# expect: error|undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; mv ".artifacts/$T/verdict.json" "$TOP/fail.json"; mkfifo ".artifacts/$T/verdict.json"
  timeout 30 bash -c "for file in $TOP/fail.json $TOP/kept/verdict.json $TOP/kept/verdict.json; do cat \$file > .artifacts/$T/verdict.json; done" > /dev/null 2>&1 & fi
judge
