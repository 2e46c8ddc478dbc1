"""What two answers say together."""

from __future__ import annotations

import unittest
from typing import Any

from agreement_engine.agree import combine

CITED = [{"artifact": "tests.json", "pointer": "/passed", "quoted": "5"}]


def answer(word: str, mark: str = "m", question: str = "q1") -> dict[str, Any]:
    """One answer as a document."""
    return {"mark": mark, "answers": [{"question": question, "answer": word, "citations": CITED, "why": "so"}]}


class AgreeTest(unittest.TestCase):
    """Agreement, and everything else."""

    def test_what_both_say_counts(self) -> None:
        self.assertEqual(combine(answer("supported"), answer("supported")), answer("supported"))

    def test_anything_else_is_left_open(self) -> None:
        for other in (
            answer("refuted"),
            answer("supported", question="q2"),
            {"mark": "m"},
            {"mark": "m", "answers": [1]},
        ):
            document = combine(answer("supported"), other)
            assert document is not None
            self.assertEqual([item["answer"] for item in document["answers"]], ["abstain"], other)

    def test_an_answer_to_another_prompt_is_none(self) -> None:
        self.assertIsNone(combine(answer("supported"), answer("supported", mark="n")))
        self.assertIsNone(combine({}, {}))


if __name__ == "__main__":
    unittest.main()
