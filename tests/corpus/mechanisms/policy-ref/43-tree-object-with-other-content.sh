# The loose tree of config/ is overwritten: main's commit then shows a lax profile under a tree id that belongs to another tree.
# rights: user
# expect: error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    loosen; save lax; lax=$(git rev-parse HEAD:config); git reset -q --hard main; break_code; save
    id=$(git rev-parse main:config)
    chmod u+w ".git/objects/${id:0:2}/${id:2}"; cp ".git/objects/${lax:0:2}/${lax:2}" ".git/objects/${id:0:2}/${id:2}"
else good_work; fi
judge_here
