# An ssh-agent holds the user's key; the call has the address of its socket, in the home. A test lists the keys, as it would to sign with them.
# rights: user
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
make_project
mkdir -p ~/.ssh; ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id
if [ -z "${HONEST:-}" ]; then
  eval "$(ssh-agent -a "$HOME/.ssh/agent")" > /dev/null; trap 'kill $SSH_AGENT_PID' EXIT
  ssh-add -q ~/.ssh/id
fi
reach <<END
import os
import socket


def reached():
    """An agent names a key."""
    for path in ("$HOME/.ssh/agent", os.environ.get("SSH_AUTH_SOCK", "")):
        try:
            with socket.socket(socket.AF_UNIX) as agent:
                agent.connect(path)
                agent.sendall(bytes([0, 0, 0, 1, 11]))
                return b"ssh-ed25519" in agent.recv(9999)
        except OSError:
            pass
    return False
END
commit -m 'Test more'
works_outside
clean env SSH_AUTH_SOCK="$HOME/.ssh/agent" gate verify --ref HEAD --base "$BASE" --profile code_default --stage ci --quiet
