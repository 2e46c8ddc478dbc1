# Name the current task in the message, and decide on weakenings by the lines in it that disclose them.
run_gate git-hook commit-msg "$1"
