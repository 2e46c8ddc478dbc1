# Names the current task in the message of a commit: a Gate-Task trailer. Where no task is current nothing is started.
is_task() {
    branch=$(git symbolic-ref --quiet --short HEAD 2>/dev/null) || return 1
    [ -n "${branch##*/}" ] && [ -f ".artifacts/${branch##*/}/commitment.json" ]
}

# git starts hooks at the top of the work tree.
if [ -n "${GATE_TASK_ID+set}" ] || [ -e .artifacts/current ] || is_task; then
    run_gate git-hook commit-msg "$1"
fi
