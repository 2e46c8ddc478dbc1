"""``bin/site``: build the site, or serve what was built."""

from __future__ import annotations

import functools
import http.server
import sys
import tempfile
from pathlib import Path

from document_site.build import SITE, build
from document_site.built_site import find_faults

USAGE = "usage: bin/site build | bin/site serve\n"


def main(arguments: list[str]) -> int:
    """Return the exit code: 0, 1 if the site has faults, 2 for a wrong command line."""
    if arguments == ["build"]:
        with tempfile.TemporaryDirectory() as folder:
            done = build(Path(folder), SITE)
        sys.stderr.write(done.stderr)
        if done.returncode != 0:
            return 1
        faults = find_faults(SITE)
        sys.stderr.writelines(f"{fault}\n" for fault in faults)
        sys.stdout.write(f"{len(list(SITE.rglob('*.html')))} pages in {SITE}, {len(faults)} faults\n")
        return 1 if faults else 0
    if arguments == ["serve"]:
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=SITE)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 8000), handler) as server:
            sys.stdout.write(f"http://127.0.0.1:{server.server_port}/ shows {SITE}; stop it with Ctrl-C\n")
            server.serve_forever()
    sys.stderr.write(USAGE)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
