# config becomes a symbolic link to a folder with a lax profile.
# rights: none
# expect: fail|error
# because: config
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then break_code; loosen; git mv config lax; ln -s lax config; save; else good_work; fi
judge
