# The bad commit brings a task of a type that asks for words only and names it in its trailer; the next commit mends the code.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; printf '# Notes\n\nWords.\n' >NOTES.md; mkdir .artifacts/words
    printf '{"task_id": "words", "type": "content", "base": "%s"}\n' "$MAIN" >.artifacts/words/commitment.json
    printf '{"task_id": "words", "claim": {"type": "content", "units": ["file:NOTES.md"]}}\n' >.artifacts/words/claim.json
    git add --all; git commit -q -m 'Notes' -m 'Gate-Task: words'; mend_code; save 'Tidy up'
else good_work; fi
judge
