# The tip of the pull request is itself a merge with the bad work as its first parent, and the forge (Gitea, Forgejo: actions of the same kind) names the tip itself as the commit of the job.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py; sed -i 's#price / 2#price / 3#' shop/__init__.py; commit -m 'Tidy up'
  git reset -q --hard "$(git commit-tree -m "Merge 1 into 2" -p HEAD -p "$BASE" 'HEAD^{tree}')"
fi
fresh_clone; tip=$(git rev-parse HEAD)
merge=$tip
printf '{"action": "opened", "number": 1, "pull_request": {"number": 1, "title": "Tidy", "body": "", "merge_commit_sha": "%s", "base": {"ref": "main", "sha": "%s"}, "head": {"ref": "topic", "sha": "%s"}}, "repository": {"default_branch": "main"}}' "$merge" "$BASE" "$tip" > "$TOP/event.json"
job() { clean env CI=true GITHUB_ACTIONS=true GITHUB_EVENT_NAME=pull_request GITHUB_EVENT_PATH="$TOP/event.json" GITHUB_SHA="$merge" GITHUB_REF=refs/pull/1/merge GITHUB_BASE_REF=main GITHUB_HEAD_REF=topic "$@"; }
base=$(job gate-ci base); echo "base $base"
job gate verify --ref HEAD --base "$base" --profile code_default --stage ci --quiet
