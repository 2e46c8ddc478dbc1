# Verify the tip of every pushed ref against what the remote already has. Every exit code but 0 blocks the push.
# git gives the remote's name and address as arguments, and on stdin one line per ref (githooks(5)):
#   <local ref> <local object> <remote ref> <remote object>

say() {
    printf 'verigate: %s\n' "$1" >&2
}

# Print the last commit of $1 that the remote already has, or the empty tree; $2 is the ref's commit there.
# Where a merge has brought several, take one of the remote's default branch: what is left is the branch's own work.
base_of() {
    known=$(git for-each-ref --format='%(objectname)' "refs/remotes/$remote/")
    case $2 in
    *[!0]*) ! git cat-file -e "$2^{commit}" 2>/dev/null || known="$2 $known" ;;
    esac
    # Object names contain no blanks: each is one argument.
    # shellcheck disable=SC2086
    found=$([ -z "$known" ] || git merge-base --all "$1" $known)
    for each in $found; do
        if git merge-base --is-ancestor "$each" "refs/remotes/$remote/HEAD" 2>/dev/null; then
            echo "$each"
            return
        fi
    done
    if [ -n "$found" ]; then
        echo "${found%%[!0-9a-f]*}"
    else
        git hash-object -t tree /dev/null
    fi
}

verify_ref() {
    case $2 in
    '' | *[!0-9a-f]*)
        say "can't parse the pushed ref: '$1 $2'"
        return 2
        ;;
    *[!0]*) ;;
    *) return 0 ;; # a deletion brings no code
    esac
    # Verify many names of one commit once; git is not started for the others.
    case $asked in
    *" $2:${3:-} "*) return 0 ;;
    esac
    asked="$asked$2:${3:-} "
    if ! tip=$(git rev-parse --verify --quiet --end-of-options "$2^{commit}"); then
        say "$1 ($2) is not a commit and can't be verified"
        return 2
    fi
    base=$(base_of "$tip" "${3:-}") || return 2
    if [ "$base" = "$tip" ]; then
        say "$1: the remote has every commit of it already"
        return 0
    fi
    case $seen in
    *" $tip:$base "*) return 0 ;;
    esac
    seen="$seen$tip:$base "
    say "$1: $base..$tip"
    run_gate verify --ref "$tip" --base "$base" --touched --stage push </dev/null
}

remote=${1:-}
asked=' '
seen=' '
status=0
while IFS= read -r line; do
    [ -n "$line" ] || continue
    # Split from the right: a local ref may contain blanks (`HEAD^{/fix it}`).
    remote_object=${line##* }
    line=${line% *}
    line=${line% *}
    verify_ref "${line% *}" "${line##* }" "$remote_object"
    code=$?
    [ "$status" -ne 0 ] || status=$code
done <<END_OF_REFS
$input
END_OF_REFS
exit "$status"
