# post-hook [TASK_ID] [options of gate verify]
# Verify a task when its work is reported as done. The exit code is the gate's.
run_gate verify "$@"
