# The commit exists and nothing can block it any more: only report.
run_gate verify --ref HEAD --stage commit || echo "verigate: the commit stands, but it is not verified (exit code $?)" >&2
exit 0
