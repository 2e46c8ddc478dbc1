"""What the tests of the verifier share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import certifi
import pytest


@pytest.fixture(scope="session", autouse=True)
def few_certificates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The servers speak plain HTTP, and reading all the world's certificates takes longer than asking them."""
    whole = Path(certifi.where()).read_text("ascii")
    first = whole[whole.index("-----BEGIN") : whole.index("-----END CERTIFICATE-----")] + "-----END CERTIFICATE-----\n"
    file = tmp_path_factory.mktemp("certificates") / "one.pem"
    file.write_text(first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(file))
        yield
