"""The standard artifacts of the second source document: path -> media spec ID and owning capability."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class StandardArtifact(Struct, frozen=True):
    """A path that belongs to one standard capability; any adapter that writes it must follow its media spec."""

    path: str
    media_spec: str
    capability: str
    required: bool = True
    """Whether the capability must write it."""


COMPARES = "code:diff"
"""The capability that compares the subject with a commit: outside git it can't run."""

STANDARD: tuple[StandardArtifact, ...] = (
    StandardArtifact("diff.json", "verigate:diff.v1", COMPARES),
    StandardArtifact("diff_names.json", "verigate:diff-names.v1", COMPARES),
    StandardArtifact("diffs.patch", "verigate:diffs-patch.v1", COMPARES),
    StandardArtifact("lint.json", "verigate:lint.v1", "code:lint"),
    StandardArtifact("tests.json", "verigate:tests.v1", "code:tests"),
    StandardArtifact("counterfactual.json", "verigate:counterfactual.v1", "code:counterfactual"),
    StandardArtifact("sensitivity.json", "verigate:sensitivity.v1", "code:sensitivity"),
    StandardArtifact("coverage.json", "verigate:coverage.v1", "code:coverage"),
    StandardArtifact("build.json", "verigate:build.v1", "code:build"),
    StandardArtifact("functions.json", "verigate:functions.v1", "code:functions"),
    StandardArtifact("changes.json", "verigate:changes.v1", "code:changes"),
    StandardArtifact("integrity.json", "verigate:integrity.v1", "code:integrity"),
    StandardArtifact("links/urlset.json", "verigate:urlset.v1", "links:discover"),
    StandardArtifact("links/statuses.json", "verigate:statuses.v1", "links:check"),
    StandardArtifact("links/resample.json", "verigate:resample.v1", "links:resample"),
    StandardArtifact("api/endpoints.json", "verigate:endpoints.v1", "api:endpoints"),
    StandardArtifact("api/responses.json", "verigate:responses.v1", "api:responses"),
    StandardArtifact("api/schema.json", "verigate:api-schema.v1", "api:responses", required=False),
    StandardArtifact("api/auth.json", "verigate:auth.v1", "api:auth"),
    StandardArtifact("api/rate_limits.json", "verigate:rate-limits.v1", "api:rate-limits"),
    StandardArtifact("content/scan.json", "verigate:scan.v1", "content:scan"),
    StandardArtifact("content/wordcount.json", "verigate:wordcount.v1", "content:wordcount"),
    StandardArtifact("content/headings.json", "verigate:headings.v1", "content:headings"),
    StandardArtifact("content/images.json", "verigate:images.v1", "content:images"),
    StandardArtifact("content/quotes.json", "verigate:quotes.v1", "content:quotes"),
)

STANDARD_NEEDS: Mapping[str, tuple[str, ...]] = {"links:check": ("links:discover",), "links:resample": ("links:check",)}
"""What capabilities that say nothing of their needs can't do without: what they work on is another one's artifact."""

BY_PATH = {artifact.path: artifact for artifact in STANDARD}
BY_SPEC = {artifact.media_spec: artifact for artifact in STANDARD}

DOMAINS = ("code", "links", "api", "content")


def list_expected_paths(capability: str) -> tuple[str, ...]:
    """Return the standard artifacts that ``capability`` must write; () for any other capability."""
    return tuple(a.path for a in STANDARD if a.capability == capability and a.required)
