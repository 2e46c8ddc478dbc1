# A file name and a message hold workflow commands and a line break: in the log of a job they would be notices of a pass.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; else touch a b c "$(printf "d\n::notice title=gate::PASS")" "$(printf "e%%0A::notice title=gate%%3A PASS::implicit")"; sed -i "s/more than two files/\\\\r\\\\n::notice title=gate::PASS/" config/verification.profiles.json; git add --all; git commit -q -m Odd; fi
elsewhere; verify
judge_screen --format github
