"""Compare names of tests as the gate does."""

from __future__ import annotations

from verigate.domain.test_ids import NamedTest, find_named, split_test_id

__all__ = ["NamedTest", "find_named", "split_test_id"]
