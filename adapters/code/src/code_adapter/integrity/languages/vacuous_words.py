"""Tell assertions that can't fail by their text, in Ruby, PHP, C# and Kotlin: ``expect(1).to eq(1)``."""

from __future__ import annotations

import re

_VALUE = r"""[\w.:$@]+|"[^"]*"|'[^']*'"""
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"expect\((?P<what>{_VALUE})\)\.to[ (]\(?(?:eq|eql|equal|be)[ (]\(?(?P<value>{_VALUE})\)*",
        rf"(?:_\()?(?P<what>{_VALUE})\)?\.must_(?:equal|be_same_as)[ (](?P<value>{_VALUE})\)?",
        rf"expect\((?P<what>{_VALUE})\)->to(?:Be|Equal)\((?P<value>{_VALUE})\)",
        rf"(?P<what>{_VALUE})\.(?:Should\(\)\.Be|ShouldBe|shouldBe)\((?P<value>{_VALUE})\)",
        rf"(?P<what>{_VALUE}) (?:shouldBe|shouldEqual) (?P<value>{_VALUE})",
        rf"Assert\.That\((?P<what>{_VALUE}), Is\.EqualTo\((?P<value>{_VALUE})\)\)",
    )
)
_CERTAIN = re.compile(
    r"expect\(true\)\.to\(? ?be_truthy\)?|expect\((?:false|nil)\)\.to\(? ?be_falsey\)?|expect\(nil\)\.to\(? ?be_nil\)?|"
    r"expect\(true\)->toBeTrue\(\)|expect\(false\)->toBeFalse\(\)|true\.Should\(\)\.BeTrue\(\)|true\.ShouldBeTrue\(\)|"
    r"(?:true\.shouldBeTrue|false\.shouldBeFalse)\(\)|Assert\.That\(true(?:, Is\.True)?\)|"
    r"(?:assert|assert_same|assertTrue)\(true\)|refute\((?:false|nil)\)|assert_nil\(nil\)|assertNull\(null\)|"
    r"Assert\.(?:Null|IsNull)\(null\)"
)


def is_vacuous_in_words(text: str) -> bool:
    """Whether an assertion can't fail."""
    plain = text.rstrip(";")
    matches = (pattern.fullmatch(plain) for pattern in _PATTERNS)
    return any(match is not None and match["what"] == match["value"] for match in matches) or (
        _CERTAIN.fullmatch(plain) is not None
    )
