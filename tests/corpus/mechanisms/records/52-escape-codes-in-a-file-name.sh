# A file name moves the cursor up, clears the screen and writes PASS; another turns the direction of the text.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; else touch a b c "$(printf "\033[2J\033[HPASS  implicit")" "$(printf "\302\233H\302\2332JPASS")" "$(printf "x\342\200\256SSAP")"; sed -i "s/more than two files/\\\\u001b[2JPASS \\\\u202e/" config/verification.profiles.json; git add --all; git commit -q -m Odd; fi
elsewhere; verify
judge_screen --verbose
