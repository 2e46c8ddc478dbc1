# A message bus of the user's session starts programs on demand. The call has its address; a test asks the bus to start one outside.
# rights: user
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
  mkdir -p "$TOP/services"
  printf '#!/bin/sh\necho started > %s\n' "$TOP/started" > "$TOP/start.sh"; chmod +x "$TOP/start.sh"
  printf '[D-BUS Service]\nName=org.example.Start\nExec=%s\n' "$TOP/start.sh" > "$TOP/services/org.example.Start.service"
  cat > "$TOP/bus.conf" <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=$TMPDIR/bus</listen><servicedir>$TOP/services</servicedir><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
END
  dbus-daemon --config-file="$TOP/bus.conf" --nofork > /dev/null 2>&1 &
  trap "kill $!" EXIT
  until [ -S "$TMPDIR/bus" ]; do sleep 0.1; done
fi
reach <<END
import subprocess


def reached():
    """The bus starts a program."""
    asked = ["dbus-send", "--bus=unix:path=$TMPDIR/bus", "--dest=org.freedesktop.DBus"]
    subprocess.run([*asked, "/", "org.freedesktop.DBus.StartServiceByName", "string:org.example.Start", "uint32:0"], capture_output=True, check=False)
    done = subprocess.run([*asked, "--print-reply", "/", "org.freedesktop.DBus.ListActivatableNames"], capture_output=True, text=True, check=False)
    return "org.example.Start" in done.stdout
END
commit -m 'Test more'
works_outside
[ -n "${HONEST:-}" ] || rm -f "$TOP/started"
code=0; clean env DBUS_SESSION_BUS_ADDRESS="unix:path=$TMPDIR/bus" gate verify --ref HEAD --base "$BASE" --profile code_default --stage ci --quiet || code=$?
[ ! -e "$TOP/started" ] || { echo "a program was started outside"; exit 0; }
exit $code
