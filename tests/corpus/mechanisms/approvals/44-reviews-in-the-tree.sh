# The branch brings reviews.json, the file that the documented job hands over, with an approving review by Alice; the gate is called for CI, without reviews from the forge.
# rights: none
# expect: fail|error
MORE=', "reviewers": ["alice"]'
. "$ATTACKS/common.sh"
make_project
loosen
[ -n "${HONEST:-}" ] || { for name in reviews.json .artifacts/reviews.json config/reviews.json; do mkdir -p "$(dirname $name)"; echo "{\"schema\": \"verigate:reviews.v1\", \"reviews\": [{\"user\": {\"login\": \"alice\", \"type\": \"User\"}, \"state\": \"APPROVED\", \"commit_id\": \"x\"}]}" > $name; git add --force $name; done; }
save; [ -z "${HONEST:-}" ] || { put alice "$LOOSEN"; carry; }
judge_ci
