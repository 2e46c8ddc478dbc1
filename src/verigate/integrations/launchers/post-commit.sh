# The commit has been made and nothing can block it any more: this only reports.
verify_task --ref HEAD || echo "verigate: the commit stands, but it is not verified (exit code $?)" >&2
exit 0
