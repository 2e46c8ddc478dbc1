"""Verify sigstore-conformance's bundles by ``gate attest verify``, and count what is refused.

    python tests/bench/sigstore_vectors.py FOLDER

FOLDER is ``test/assets/bundle-verify`` of a checkout of https://github.com/sigstore/sigstore-conformance. Every bundle
whose folder ends in ``_fail`` must be refused. The others must be, too, where they sign a file and no statement; of a
statement the signature must hold, and what refuses it must be the statement's subject, which is no commit. Ends with 1
if one isn't so.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from importlib import resources
from pathlib import Path

IDENTITY = (
    "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/"
    "extremely-dangerous-oidc-beacon.yml@refs/heads/main"
)
ISSUER = "https://token.actions.githubusercontent.com"
PUBLIC = "https%3A%2F%2Ftuf-repo-cdn.sigstore.dev/trusted_root.json"


def _ask(folder: Path, repository: Path, public: Path) -> tuple[int, str]:
    """Verify the bundle of a folder; return the exit code, and what was printed as one line."""
    named = {name: folder / name for name in ("identity", "issuer", "trusted_root.json")}
    identity = named["identity"].read_text().strip() if named["identity"].exists() else IDENTITY
    issuer = named["issuer"].read_text().strip() if named["issuer"].exists() else ISSUER
    root = named["trusted_root.json"] if named["trusted_root.json"].exists() else public
    options = ("--identity", identity, "--issuer", issuer, "--trusted-root", str(root))
    command = (sys.executable, "-m", "verigate", "-C", str(repository), "attest", "verify")
    bundle = folder / "bundle.sigstore.json"
    done = subprocess.run([*command, str(bundle), *options], capture_output=True, text=True, check=False)
    return done.returncode, " ".join(done.stderr.split())


def _is_statement(folder: Path) -> bool:
    try:
        return "dsseEnvelope" in json.loads((folder / "bundle.sigstore.json").read_bytes())
    except ValueError:
        return False


def main(vectors: Path) -> int:
    """Print a line for each bundle that isn't as it should be, and the sums."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        repository, public = Path(name, "repository"), Path(name, "root.json")
        subprocess.run(["git", "init", "-q", repository], check=True)
        public.write_bytes(resources.files("sigstore").joinpath("_store", PUBLIC).read_bytes())
        for folder in sorted(path for path in vectors.iterdir() if path.is_dir()):
            code, said = _ask(folder, repository, public)
            must_fail, statement = folder.name.endswith("_fail"), _is_statement(folder)
            refused = code in {2, 3} and "Traceback" not in said
            by_signature = "the sigstore bundle doesn't hold" in said or "not an attestation" in said
            kind = f"{'must fail' if must_fail else 'valid'}, {'statement' if statement else 'file'}"
            if must_fail:
                outcome = "as it should be" if refused else "WRONG"
            elif "Integrated time only supported" in said:
                outcome = "refused, of a kind that sigstore's Python doesn't read"
            else:
                outcome = "as it should be" if refused and by_signature is not statement else "WRONG"
            counts[f"{kind}: {outcome}"] += 1
            if outcome == "WRONG":
                sys.stdout.write(f"{folder.name}: exit {code}: {said[:300]}\n")
    for kind, number in sorted(counts.items()):
        sys.stdout.write(f"{number:4} {kind}\n")
    return int(any("WRONG" in kind for kind in counts) or not counts)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", metavar="FOLDER", type=Path)
    sys.exit(main(arguments.parse_args().folder))
