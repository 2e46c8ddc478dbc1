"""Write an approval by hand, signed with a plain key by ssh-keygen: KEY NAMESPACE TREE FINDINGS CHANGES."""
import datetime as d, json, subprocess, sys, tempfile, os
key, namespace, tree, findings, changes = sys.argv[1:6]
now = d.datetime.now(d.timezone.utc); text = lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%SZ")
said = {"schema": "verigate:approval.v1", "namespace": namespace, "repository": "github.com/owner/shop", "tree": tree, "findings": json.loads(findings),
        "reason": "we read this", "signed": text(now), "expires": text(now + d.timedelta(days=7))}
changes = json.loads(changes)
signed_in = changes.pop("_namespace", namespace)
for name in ("signed", "expires"):
    if isinstance(changes.get(name), int): changes[name] = text(now + d.timedelta(days=changes[name]))
said |= changes
done = subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", signed_in, "-f", key], input=json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(), stdout=subprocess.PIPE, check=True)
print(json.dumps(said | {"signature": done.stdout.decode()}, indent=2, sort_keys=True))
