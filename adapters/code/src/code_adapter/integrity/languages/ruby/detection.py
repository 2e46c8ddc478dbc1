"""Find code of Ruby that finds out whether it is being tested. The environment ``test`` is honest use, and none."""

from __future__ import annotations

import re

_RUNNERS = r"(?:::)?(?:RSpec|Mini[Tt]est|Test::Unit|ActiveSupport::TestCase)\b"
DETECTION = re.compile(
    rf"\bdefined\?\s*\(?\s*{_RUNNERS}|"
    r"\bconst_defined\?\s*\(?\s*[:'\"]+(?:RSpec|Mini[Tt]est)\b|"
    r"(?:\$PROGRAM_NAME|\$0|\$LOADED_FEATURES|\$\")[^\n]{0,80}(?:rspec|minitest|_spec|_test)|"
    r"\bcaller(?:_locations)?\b[^\n]{0,80}(?:rspec|minitest|_spec|_test|/spec|/test)",
)
