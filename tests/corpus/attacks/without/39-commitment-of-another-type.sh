. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The change brings a commitment of a type that asks nothing of tests, a claim, and a Gate-Task trailer.
pyshop
base
mkdir -p .artifacts/docs
"$GATE" start docs --type content >/dev/null 2>&1; ls -A .artifacts .artifacts/docs 2>/dev/null
breakit; echo '# Shop' > README.md
git add -f .artifacts; commit 'Docs' -m 'Gate-Task: docs'
judge
rm -rf "$T/ci"; git clone -q "$T/repo" "$T/ci"; cd "$T/ci"; git checkout -q topic; "$GATE" verify docs --ref HEAD --base "$BASE" --quiet; echo "with the task: $?"
echo "exit code: $rc"
