"""A FIDO key in software: `sk.py new FILE COMMENT` makes one (as a token would), `sk.py sign FILE FLAGS NAMESPACE TREE FINDINGS [CHANGES]` an approval signed by it, with FLAGS for user presence (1) and verification (4)."""
import base64, datetime as d, hashlib, json, os, struct, subprocess, sys, tempfile
put = lambda data: struct.pack(">I", len(data)) + data
APP = b"ssh:"; KIND = b"sk-ssh-ed25519@openssh.com"
def openssl(*words, data=None): return subprocess.run(["openssl", *words], input=data, capture_output=True, check=True).stdout
if sys.argv[1] == "new":
    openssl("genpkey", "-algorithm", "ed25519", "-out", sys.argv[2])
    raw = openssl("pkey", "-in", sys.argv[2], "-pubout", "-outform", "DER")[-32:]
    open(sys.argv[2] + ".pub", "w").write(f"{KIND.decode()} {base64.b64encode(put(KIND) + put(raw) + put(APP)).decode()}\n")
else:
    key, flags, namespace, tree, findings = sys.argv[2], int(sys.argv[3]), *sys.argv[4:7]
    now = d.datetime.now(d.timezone.utc); text = lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    said = {"schema": "verigate:approval.v1", "namespace": namespace, "repository": "github.com/owner/shop", "tree": tree, "findings": json.loads(findings), "reason": "we read this", "signed": text(now), "expires": text(now + d.timedelta(days=7))}
    message = json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    signed = b"SSHSIG" + put(namespace.encode()) + put(b"") + put(b"sha512") + put(hashlib.sha512(message).digest())
    body = hashlib.sha256(APP).digest() + bytes([flags]) + struct.pack(">I", 7) + hashlib.sha256(signed).digest()
    with tempfile.NamedTemporaryFile() as file:
        file.write(body); file.flush(); raw = openssl("pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", file.name)
    shown = int(os.environ.get("SHOWN", flags))      # the flags that the blob shows, where they aren't those signed
    signature = put(KIND) + put(raw) + bytes([shown]) + struct.pack(">I", 7)
    public = base64.b64decode(open(key + ".pub").read().split()[1])
    blob = b"SSHSIG" + struct.pack(">I", 1) + put(public) + put(namespace.encode()) + put(b"") + put(b"sha512") + put(signature)
    lines = base64.b64encode(blob).decode(); armour = "-----BEGIN SSH SIGNATURE-----\n" + "\n".join(lines[i:i + 70] for i in range(0, len(lines), 70)) + "\n-----END SSH SIGNATURE-----\n"
    print(json.dumps(said | {"signature": os.environ.get("BEFORE", "") + armour + os.environ.get("AFTER", "")}))
