# Broken code reads the right number from shared memory that the user made, of System V and in /dev/shm.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'; judge; exit
fi
KEY=$((0x5f1d0000 + $$ % 65536))
cat > "$TOP/memory.py" <<END
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
END
(cat "$TOP/memory.py"; cat <<END
at = libc.shmat(libc.shmget($KEY, 4096, 0o1600), None, 0)
ctypes.memmove(at, b"2", 2)
END
) | python3
echo 2 > "/dev/shm/answer-$KEY"
trap 'ipcrm -M $KEY; rm -f /dev/shm/answer-$KEY' EXIT
ask_outside <<END
$(cat "$TOP/memory.py")
held = libc.shmget($KEY, 4096, 0)
if held >= 0:
    return int(ctypes.string_at(libc.shmat(held, None, 0)))
with open("/dev/shm/answer-$KEY") as answer:
    return int(answer.read())
END
commit -m 'Describe prices'
timeout 60 python3 -m pytest -q > "$TOP/outside.log" 2>&1 || { cat "$TOP/outside.log"; exit 9; }
judge
