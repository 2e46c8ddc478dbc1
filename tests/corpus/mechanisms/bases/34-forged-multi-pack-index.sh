# The objects are packed, and an index over packs is rewritten so that the name of the base's tree leads to the tree of HEAD.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py; commit -m 'Tidy up'
  git repack -q -a -d; git multi-pack-index write
  python3 - "$(git rev-parse "$BASE^{tree}")" "$(git rev-parse 'HEAD^{tree}')" <<'END'
import hashlib, os, struct, sys
path = ".git/objects/pack/multi-pack-index"; os.chmod(path, 0o644); data = bytearray(open(path, "rb").read())
chunks = {bytes(data[12 + 12 * i : 16 + 12 * i]): struct.unpack(">Q", data[16 + 12 * i : 24 + 12 * i])[0] for i in range(data[6])}
count = struct.unpack(">I", data[chunks[b"OIDF"] + 1020 :][:4])[0]
names = [bytes(data[chunks[b"OIDL"] + 20 * i :][:20]).hex() for i in range(count)]
a, b = (chunks[b"OOFF"] + 8 * names.index(name) for name in sys.argv[1:])
data[a : a + 8] = data[b : b + 8]
data[-20:] = hashlib.sha1(data[:-20]).digest(); open(path, "wb").write(data)
END
fi
judge
