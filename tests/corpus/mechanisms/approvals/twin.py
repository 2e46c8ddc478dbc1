"""The same approval in other bytes: ECDSA's s becomes n - s, the armour has other lines, the JSON other indents and escapes."""
import base64, json, struct, sys
said = json.load(open(sys.argv[1]))
blob = base64.b64decode("".join(said["signature"].split("\n")[1:-2]))
def take(data): size = struct.unpack(">I", data[:4])[0]; return data[4:4 + size], data[4 + size:]
put = lambda data: struct.pack(">I", len(data)) + data
head, rest = blob[:10], blob[10:]
parts = []
for _ in range(4): part, rest = take(rest); parts.append(part)
signature, rest = take(rest); kind, inner = take(signature); inner, _ = take(inner); r, s = take(inner); s, _ = take(s)
n = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
other = (n - int.from_bytes(s, "big")).to_bytes(33, "big").lstrip(b"\0"); other = b"\0" + other if other[0] & 128 else other
new = head + b"".join(map(put, parts)) + put(put(kind) + put(put(r) + put(other))) if False else head + b"".join(map(put, parts)) + put(put(kind) + put(put(r)[0:] + put(other)))
text = base64.b64encode(new).decode()
said["signature"] = "-----BEGIN SSH SIGNATURE-----\n" + "\n".join(text[i:i + 40] for i in range(0, len(text), 40)) + "\n-----END SSH SIGNATURE-----\n"
print(json.dumps(said, indent=7, sort_keys=False).replace("reason", "\\u0072eason"))
