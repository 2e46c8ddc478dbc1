# Add a Gate-Task trailer with the current task to the commit message. Without a current task nothing is started.
is_task() {
    branch=$(git symbolic-ref --quiet --short HEAD 2>/dev/null) || return 1
    [ -n "${branch##*/}" ] && [ -f ".artifacts/${branch##*/}/commitment.json" ]
}

# git starts hooks at the top of the work tree.
if [ -n "${GATE_TASK_ID+set}" ] || [ -e .artifacts/current ] || is_task; then
    run_gate git-hook commit-msg "$1"
fi
