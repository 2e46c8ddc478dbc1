"""Find code of JavaScript that finds out whether it is being tested: what node, Jest and Vitest set."""

from __future__ import annotations

import re

DETECTION = re.compile(
    r"(?<!\w)(?:NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|JEST_WORKER_ID|NODE_V8_COVERAGE|VITEST(?:_\w+)?|MOCHA_\w+)(?!\w)|"
    r"typeof\s+(?:globalThis\.|global\.)?(?:jest|vi|vitest|describe|it|expect|beforeEach|afterEach)\b(?!\s*\()|"
    r"(?:execArgv|process\.argv)\b[^;\n]{0,80}(?:\(|==)\s*['\"`/][^'\"`\n]{0,40}\btest"
)
