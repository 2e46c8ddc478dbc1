# The object of the committed command has a strict one's content: git reads it, though its name is another's.
# rights: user
# expect: error|fail
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
before_the_proof() {
    id=$(git rev-parse HEAD:check.sh); file=.git/objects/${id:0:2}/${id:2}; other=$(echo "$strict" | git hash-object -w --stdin)
    chmod u+w "$file"; cp ".git/objects/${other:0:2}/${other:2}" "$file"; echo "$strict" >check.sh
}
if [ -n "${HONEST:-}" ]; then unset -f before_the_proof; fi
judge
