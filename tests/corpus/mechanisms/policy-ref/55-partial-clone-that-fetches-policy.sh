# The repository is made a partial clone whose promisor is the attacker's: the policy's missing blob is then asked for there.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; save
    id=$(git rev-parse main:config/verification.profiles.json); lax=$(echo '{"code_default": {"tests_min": 0, "tests_pass": false}}' | git hash-object -w --stdin)
    cp -r .git "$TOP/promisor.git"; git -C "$TOP/promisor.git" config core.bare true; git -C "$TOP/promisor.git" config uploadpack.allowAnySHA1InWant true; git -C "$TOP/promisor.git" config uploadpack.allowFilter true
    chmod u+w "$TOP/promisor.git/objects/${id:0:2}/${id:2}"; cp ".git/objects/${lax:0:2}/${lax:2}" "$TOP/promisor.git/objects/${id:0:2}/${id:2}"
    rm -f ".git/objects/${id:0:2}/${id:2}"
    git config core.repositoryFormatVersion 1; git config extensions.partialClone evil; git config remote.evil.url "$TOP/promisor.git"; git config remote.evil.promisor true
else good_work; fi
cd "$TOP/repo"
clean gate verify --quiet --ref HEAD --base "$MAIN" --policy-ref origin/main
