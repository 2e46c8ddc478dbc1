# Variables of the call say that the home, and a folder of secrets in it, are a toolchain's, which sandboxes show. A test reads tokens there.
# rights: user
# expect: fail|error
# because: test_reach
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
  mkdir ~/.ssh ~/private; echo token-5f1d | tee ~/token.txt ~/.ssh/id > ~/private/token.txt
  set -- env GOPATH="$HOME" CARGO_HOME="$HOME" RUSTUP_HOME="$HOME/.ssh" JAVA_HOME="$HOME/private" GRADLE_USER_HOME="$HOME/private" NVM_DIR="$HOME/private" PYENV_ROOT="$HOME"
fi
reach <<END
from pathlib import Path


def reached():
    """A token of the home can be read."""
    for name in ("token.txt", ".ssh/id", "private/token.txt"):
        try:
            if "token-" "5f1d" in Path("$HOME", name).read_text():
                return True
        except OSError:
            pass
    return False
END
commit -m 'Test more'
works_outside
clean "$@" gate verify --ref HEAD --base "$BASE" --profile code_default --stage ci --quiet
