"""Rewrite the parents that git's commit-graph names: ``python3 graph.py REPO COMMIT=PARENT|none ...``."""
import hashlib, struct, subprocess, sys
repo, *pairs = sys.argv[1:]
subprocess.run(["git", "-C", repo, "-c", "commitGraph.generationVersion=1", "commit-graph", "write", "--reachable"], check=True)
path = repo + "/.git/objects/info/commit-graph"
data = bytearray(open(path, "rb").read())
chunks = {bytes(data[8 + 12 * i : 12 + 12 * i]): struct.unpack(">Q", data[12 + 12 * i : 20 + 12 * i])[0] for i in range(data[6])}
count = struct.unpack(">I", data[chunks[b"OIDF"] + 255 * 4 :][:4])[0]
names = [bytes(data[chunks[b"OIDL"] + 20 * i :][:20]).hex() for i in range(count)]
for pair in pairs:
    child, parent = pair.split("=")
    at = chunks[b"CDAT"] + 36 * names.index(child) + 20
    data[at : at + 4] = struct.pack(">I", 0x70000000 if parent == "none" else names.index(parent))
    generation = 1
    if parent != "none":
        other = chunks[b"CDAT"] + 36 * names.index(parent) + 28
        generation = (struct.unpack(">Q", data[other : other + 8])[0] >> 34) + 1
    when = struct.unpack(">Q", data[at + 8 : at + 16])[0] & ((1 << 34) - 1)
    data[at + 8 : at + 16] = struct.pack(">Q", (generation << 34) | when)
data[-20:] = hashlib.sha1(data[:-20]).digest()
subprocess.run(["chmod", "u+w", path], check=True)
open(path, "wb").write(data)
