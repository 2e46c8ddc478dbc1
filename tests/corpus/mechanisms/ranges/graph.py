"""Rewrite the first parent of one commit in .git/objects/info/commit-graph: ``graph.py COMMIT PARENT``."""
import hashlib, os, struct, sys
path = ".git/objects/info/commit-graph"
data = bytearray(open(path, "rb").read())
chunks = {bytes(data[8 + 12 * i:12 + 12 * i]): struct.unpack(">Q", data[12 + 12 * i:20 + 12 * i])[0] for i in range(data[6])}
fan, look, cdat = chunks[b"OIDF"], chunks[b"OIDL"], chunks[b"CDAT"]
count = struct.unpack(">I", data[fan + 1020:fan + 1024])[0]
names = [bytes(data[look + 20 * i:look + 20 * i + 20]).hex() for i in range(count)]
child, parent = (names.index(name) for name in sys.argv[1:3])
data[cdat + 36 * child + 20:cdat + 36 * child + 24] = struct.pack(">I", parent)
data[-20:] = hashlib.sha1(data[:-20]).digest()
os.chmod(path, 0o644)
open(path, "wb").write(data)
