# core.fsmonitor, filters, textconv, an external diff and an alias of .git/config are programs of the attacker's that git may start while the gate reads the subject.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; save
    printf '#!/bin/sh\n/usr/bin/git -C "%s" update-ref refs/remotes/origin/main refs/heads/topic\nexit 1\n' "$TOP/repo" >"$TOP/evil"; chmod +x "$TOP/evil"
    git config core.fsmonitor "$TOP/evil"; git config diff.external "$TOP/evil"; git config filter.x.clean "$TOP/evil"; git config filter.x.smudge "$TOP/evil"
    git config diff.x.textconv "$TOP/evil"; git config core.pager "$TOP/evil"; git config gpg.program "$TOP/evil"; git config log.showSignature true
    git config core.alternateRefsCommand "$TOP/evil"; mkdir -p .git/hooks
    for hook in post-checkout post-index-change reference-transaction pre-auto-gc; do cp "$TOP/evil" .git/hooks/$hook; done
    echo '* filter=x diff=x' >.git/info/attributes
else good_work; fi
cd "$TOP/repo"
clean gate verify --quiet --ref HEAD --base "$MAIN" --policy-ref origin/main
