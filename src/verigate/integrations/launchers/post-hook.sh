# post-hook [TASK_ID] [options of gate verify]
# Verify a task when its work is reported as done. The exit code is the gate's.

# Print the id of the task that a trailer or the branch names, or nothing: gate finds the others itself.
task_of_commit() {
    named=$(git -c log.showSignature=false log -1 --format='%(trailers:key=Gate-Task,valueonly,unfold)' HEAD \
        2>/dev/null | sed '/^$/d' | sort -u)
    if [ -n "$named" ]; then
        printf '%s\n' "$named"
        return
    fi
    branch=$(git symbolic-ref --quiet --short HEAD 2>/dev/null) || return 0
    case ${branch##*/} in
    '' | *[!A-Za-z0-9_-]*) return 0 ;;
    esac
    # A branch names a task only if the task exists: `main` is not a task id.
    top=$(git rev-parse --show-toplevel 2>/dev/null) || return 0
    if [ -f "$top/.artifacts/${branch##*/}/commitment.json" ]; then
        printf '%s\n' "${branch##*/}"
    fi
}

is_named_already() {
    [ -n "${GATE_TASK_ID+set}" ] && return 0
    top=$(git rev-parse --show-toplevel 2>/dev/null) || return 1
    [ -e "$top/.artifacts/current" ]
}

verify_task() {
    case ${1--} in
    -*) ;;
    *)
        run_gate verify "$@"
        return
        ;;
    esac
    task=
    is_named_already || task=$(task_of_commit)
    if [ -z "$task" ]; then
        run_gate verify "$@"
        return
    fi
    case $task in
    *[!A-Za-z0-9_-]*)
        echo "verigate: the Gate-Task trailers of HEAD name no single task id; write one such line, or pass the id" >&2
        return 2
        ;;
    esac
    run_gate verify "$task" "$@"
}
