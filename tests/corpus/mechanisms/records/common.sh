# A tiny project whose rule refuses changes of more than two files: a bad commit is one with three. Verdicts are of the task `implicit` unless said.
TOP=$PWD; KEYS=$TOP/keys; mkdir -p "$KEYS"; T=implicit

make_project() {
  git init -q -b main shop && cd shop && mkdir config
  echo '{ "code": { "order": ["code:diff"], "required": ["code:diff"], "optional": [] } }' > config/adapter-plan.json
  echo '{ "code_default": { "rules": [ { "id": "few-files", "expr": "artifacts[\"diff.json\"].total_changes > 0 && artifacts[\"diff.json\"].total_changes <= 2", "message": "more than two files" } ] },
          "lax": { "required_artifacts": ["diff.json"] } }' > config/verification.profiles.json
  echo '# Notes' > README.md; before_base
  git add --all && git commit -q -m 'As it is'
}
before_base() { :; }
good() { echo "one more line" >> README.md; git add --all; git commit -q -m "${1:-A line}"; }
bad() { touch a b c; echo "and more" >> README.md; git add --all; git commit -q -m "${1:-Three files}"; }
verify() { gate verify --ref HEAD --quiet "$@" > "$TOP/verify.txt" 2>&1 || true; head -1 "$TOP/verify.txt"; }
keep() { rm -rf "$TOP/kept"; cp -a ".artifacts/$T" "$TOP/kept"; }
put_back() { rm -rf ".artifacts/$T"; cp -a "$TOP/kept" ".artifacts/$T"; }
chain() { echo "refs/verigate/verdicts/$T"; }

# Readers. A reader believes a pass if the command ends with 0, says PASS, and says nothing against it.
believed() { # FILE RC
  cat "$1"; [ "$2" = 0 ] || exit "$2"
  grep -qE '^(PASS|attested: passed)' "$1" || exit 1
  if grep '^warning' "$1" | grep -vq "is not in this repository: whether"; then exit 4; fi   # a clone has no chain: that alone is no doubt
  exit 0; }
reader() { local rc=0; gate "$@" > "$TOP/read.txt" 2>&1 || rc=$?; believed "$TOP/read.txt" "$rc"; }
judge() { reader show "$T"; }
judge_json() { local rc=0; gate show "$T" --json > "$TOP/read.json" 2> "$TOP/read.err" || rc=$?; cat "$TOP/read.json"; [ "$rc" = 0 ] || exit "$rc"
  python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); text=json.dumps(d); sys.exit(1 if d["status"]!="pass" else 4 if "chain" in text or d.get("notes") or d.get("warnings") else 0)' "$TOP/read.json"; exit $?; }
judge_list() { local rc=0; gate list --json > "$TOP/read.json" 2> "$TOP/read.err" || rc=$?; cat "$TOP/read.json" "$TOP/read.err"; [ "$rc" = 0 ] || exit "$rc"
  python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); all_=d["tasks"]; sys.exit(4 if any(t.get("note") for t in all_) or not all_ else 0 if all(t["status"]=="pass" for t in all_) else 1)' "$TOP/read.json"; exit $?; }
judge_format() { local rc=0; gate show "$T" --format "$1" > "$TOP/read.txt" 2> "$TOP/read.err" || rc=$?; cat "$TOP/read.txt"; [ "$rc" = 0 ] || exit "$rc"; grep -qi 'chain' "$TOP/read.txt" && exit 4; exit 0; }

# Attestations: CI's key, which no attacker has, and what CI attests.
ci_key() { gate attest keygen "$KEYS/ci" > /dev/null; }
attest() { gate attest --key "$KEYS/ci" "$@" > "$TOP/attest.txt" 2>&1 || { local rc=$?; cat "$TOP/attest.txt"; return $rc; }; }
bundle() { echo ".artifacts/$T/verdict.intoto.jsonl"; }
# A reader far away: a fresh clone, another home.
elsewhere() { cd "$TOP" && mkdir -p home2 && git clone -q shop there 2> /dev/null && cd there && git checkout -q "${1:-main}" 2> /dev/null && export HOME=$TOP/home2; }

# What is on the screen: a line that begins with PASS, or a raw control or direction character, is taken for the gate's own word.
judge_screen() { local rc=0; gate show "$T" "$@" > "$TOP/read.txt" 2>&1 || rc=$?; cat -v "$TOP/read.txt"; [ "$rc" = 0 ] || exit "$rc"
  python3 - "$TOP/read.txt" ".artifacts/$T/verdict.json" <<'P'
import json, re, sys
text = open(sys.argv[1], encoding="utf-8", errors="surrogateescape", newline="").read(); status = json.load(open(sys.argv[2]))["status"]
fooled = re.search(r"^\s*(::notice[^\n]*::)?PASS", text, re.M) or re.search("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029]", text)
sys.exit(0 if fooled or status == "pass" else 1)
P
  exit $?; }
# older DAYS FILE: the bundle as CI's key had signed it so many days ago (CI's own doing, not the attacker's).
older() { python3 - "$1" "$2" "$KEYS/ci" <<'P'
import base64, datetime as d, json, re, subprocess, sys, tempfile
days, path, key = int(sys.argv[1]), sys.argv[2], sys.argv[3]
def back(match):
    moment = d.datetime.fromisoformat(match[0].replace("Z", "+00:00")) - d.timedelta(days=days)
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + "Z"
lines = []
for line in open(path):
    envelope = json.loads(line); payload = re.sub(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", back, base64.b64decode(envelope["payload"]).decode()).encode(); kind = envelope["payloadType"].encode()
    with tempfile.NamedTemporaryFile() as signed:
        signed.write(b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)); signed.flush()
        sig = subprocess.run(["openssl", "pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", signed.name], capture_output=True, check=True).stdout
    envelope["payload"] = base64.b64encode(payload).decode(); envelope["signatures"][0]["sig"] = base64.b64encode(sig).decode(); lines.append(json.dumps(envelope))
print("\n".join(lines))
P
}
