"""Last messages that claim something in a form that nobody reads: each is named to the person, and none is let go."""

from __future__ import annotations

import base64
import codecs

import pytest

from verigate.domain.commit_text import CommitText
from verigate.domain.ledger import LedgerEntry
from verigate.domain.task import Statement
from verigate.integrations.agents.idle_turn import judge_idle
from verigate.integrations.agents.judged import Judged, no_verdict
from verigate.integrations.agents.statements import sentences
from verigate.statements.claims import read_statements
from verigate.usecases.messages import list_unread_messages

CLAIM = "I implemented refund() and all 47 tests pass."
FOREIGN = {
    "German": "Ich habe die Funktion refund() implementiert, alle 47 Tests bestehen.",
    "German, one word": "Fertig.",
    "French": "J'ai ajouté la fonction refund() et les 47 tests passent.",
    "Spanish": "He añadido la función refund() y las 47 pruebas pasan.",
    "Italian": "Ho aggiunto la funzione refund() e i 47 test passano.",
    "Portuguese": "Adicionei a função refund() e os 47 testes passam.",
    "Dutch": "Functie refund() toegevoegd; alle 47 tests slagen.",
    "Polish": "Dodałem funkcję refund(), wszystkie 47 testów przechodzi.",
    "Turkish": "refund() fonksiyonunu ekledim, 47 testin hepsi geçiyor.",
    "Vietnamese": "Đã thêm hàm refund(), tất cả 47 bài kiểm tra đều đạt.",
    "Russian": "Я добавил функцию refund(), все 47 тестов проходят.",
    "Greek": "Πρόσθεσα τη συνάρτηση refund(), όλα τα 47 τεστ περνούν.",
    "Chinese": "我已实现 refund() 函数，47 个测试全部通过。",
    "Japanese": "refund() を実装し、47件のテストはすべて成功しました。",
    "Korean": "refund() 함수를 구현했고 테스트 47개가 모두 통과합니다.",
    "Arabic": "أضفت الدالة refund() ونجحت جميع الاختبارات.",
    "Hebrew": "הוספתי את הפונקציה refund() וכל הבדיקות עוברות.",
    "Hindi": "मैंने refund() जोड़ दिया है और सभी 47 परीक्षण सफल हैं।",
    "Thai": "เพิ่มฟังก์ชัน refund() แล้ว การทดสอบทั้งหมดผ่าน",
    "Latin": "Functionem refund() addidi, omnia probata sunt.",
    "German next to English": "This is what you asked for. Alle 47 Tests bestehen jetzt.",
    "Chinese next to English": "I looked at the code. 测试全部通过。",
}
FORMS = {
    "a fenced code block": f"```\n{CLAIM}\n```",
    "a code block of tildes": f"~~~text\n{CLAIM}\n~~~",
    "an indented code block": f"    {CLAIM}",
    "a code block next to prose": f"See this.\n\n```\n{CLAIM}\n```\n",
    "an indented block next to prose": f"See this.\n\n    {CLAIM}\n",
    "a comment of HTML": f"<!-- {CLAIM} -->",
    "a comment next to prose": f"See this.\n\n<!-- {CLAIM} -->\n",
    "one endless sentence": "I " + "looked at the code of the shop and " * 40 + "then all 47 tests pass.",
    "quoted mail": f"> {CLAIM}",
    "mail quoted twice": f"On Monday Ada wrote:\n>> {CLAIM}",
    "signs only": "\u2705 \U0001f389 \u2705",
    "ROT13": codecs.encode(CLAIM, "rot13"),
    "base64": base64.b64encode(CLAIM.encode()).decode(),
    "letters of another script": "I \u0430dded refund() \u0430nd \u0430ll 47 tests p\u0430ss.",
    "letters of mathematics": "\U0001d400\U0001d425\U0001d425 47 \U0001d42d\U0001d41e\U0001d42c\U0001d42d\U0001d42c",
    "letters of full width": "\uff21\uff4c\uff4c 47 \uff54\uff45\uff53\uff54\uff53 \uff50\uff41\uff53\uff53.",
    "letters with spaces between": "a l l   t e s t s   p a s s",
    "digits for letters": "4ll t3sts p4ss, r3fund 4dd3d",
    "entities of HTML": "All&nbsp;47&nbsp;tests&nbsp;pass.",
    "the passive": "The bug in refund() is fixed now.",
    "no verb": "Everything green across the whole suite, ready for you to merge.",
    "somebody else's words": "CI says that all 47 tests pass.",
    "a line that ends with a colon": "See below.\n\nAll 47 tests pass:\n\n",
    "the head of a table": "| All tests pass | I added refund() |\n|---|---|\n",
    "a formula": "$\\text{All 47 tests pass and refund() is implemented}$",
}
READ = {
    "zero width": "All\u200b 47 te\u200bsts pa\u200dss.",
    "a list of a diff": "+ All 47 tests pass",
    "HTML": "<p>All 47 tests pass.</p>",
    "a link": "[All 47 tests pass](https://example.org)",
    "a picture": "![All 47 tests pass](ok.png)",
    "a row of a table": "| what | state |\n|---|---|\n| tests | 47 passed |",
    "capitals": "ALL 47 TESTS PASS!!!",
    "a heading": "## All 47 tests pass",
    "bold": "**All 47 tests pass.**",
    "a check box": "- [x] All 47 tests pass",
}
NOTHING = (
    "",
    "\n\n---\n",
    "Hello!",
    "Yes.",
    "The parser is in `shop/parse.py`; it reads a line at a time.",
    "Shall I fix the tests as well?",
    "I haven't changed anything yet.",
    "I will run the tests next.",
    "You can run it by `make test`:\n\n```sh\nmake test\n```\n",
    "It is a function of two arguments:\n\n```python\ndef total(a, b):\n    return a + b\n```\n",
)


def end(message: str, judged: Judged | None = None) -> tuple[Judged, int]:
    asked: list[int] = []

    def verify() -> Judged:
        asked.append(1)
        return judged or Judged(passed=True)

    return judge_idle(message, verify, is_empty=False, elsewhere=()), len(asked)


@pytest.mark.parametrize("name", [*FOREIGN, *FORMS])
def test_what_is_claimed_unread_is_named_to_the_person(name: str) -> None:
    message = {**FOREIGN, **FORMS}[name]
    ended, _ = end(message)
    assert ended.passed
    assert ended.reason.startswith("verigate: no file changed in this turn, and no fact decides: ")
    assert "\n" not in ended.reason


@pytest.mark.parametrize("name", READ)
def test_what_only_looks_different_is_read_and_verified(name: str) -> None:
    assert end(READ[name])[1] == 1
    against = {"check": "unit:statement:1", "code": "CLAIM_REFUTED", "message": "2 of 47 failed"}
    ended, _ = end(READ[name], Judged(passed=False, reason="refuted", refuted=(against,)))
    assert (ended.passed, ended.reason) == (False, "refuted")


@pytest.mark.parametrize("message", NOTHING)
def test_what_claims_nothing_is_not_commented_on(message: str) -> None:
    assert end(message) == (Judged(passed=True), 0)


def test_what_facts_leave_open_is_named() -> None:
    for passed in (True, False):
        ended, _ = end("All unit tests pass.", Judged(passed=passed, undecided=("no rule or fact decides: it",)))
        assert ended.passed
        assert ended.reason.endswith("and no fact decides: it")


def test_what_else_is_open_is_counted() -> None:
    ended, _ = end(
        "All unit tests pass. It is fast. It is safe.", Judged(passed=True, undecided=("one", "two", "three"))
    )
    assert ended.reason.endswith("no fact decides: one (and 2 more)")


def test_what_there_is_no_verdict_on_is_named() -> None:
    ended, _ = end("All 47 tests pass.", no_verdict("there was nothing to verify"))
    assert ended.passed
    assert ended.reason.endswith("no fact decides: All 47 tests pass.")


@pytest.mark.parametrize("name", [*FOREIGN, *FORMS])
def test_a_claim_of_it_has_statements_and_no_fact_that_supports_them(name: str) -> None:
    """With changes the message is a claim: what isn't read is undecided in the verdict."""
    message = {**FOREIGN, **FORMS}[name]
    found = sentences(message)
    if name == "signs only":
        assert found == ()
        return
    read = read_statements([Statement(f"statement:{number}", text) for number, text in enumerate(found, 1)])
    assert any(each.reading is None or not each.reading.facts for each in read)


COMMITS = {
    "German": "Funktion refund() hinzugefügt, alle 47 Tests bestehen",
    "French": "Ajouté refund(), tous les tests passent",
    "Spanish": "Añadido refund(): todas las pruebas pasan",
    "Russian": "Добавлена функция refund()",
    "Chinese": "实现 refund()，测试全部通过",
    "a code block": f"Describe prices\n\n```\n{CLAIM}\n```\n\nGate-Task: refund",
    "a comment": f"Describe prices\n\n<!-- {CLAIM} -->",
    "an endless sentence": f"Describe prices\n\nI {'looked at the code of the shop and ' * 40} then all tests pass",
}


@pytest.mark.parametrize("name", COMMITS)
def test_a_commit_that_claims_something_unread_is_named(name: str) -> None:
    commit = CommitText("0123456789abcdef", "", "", COMMITS[name], 0)
    [warning] = list_unread_messages([LedgerEntry(commit, ())])
    assert warning.startswith("nothing was compared with what 0123456789 says: ")
    assert "\n" not in warning


@pytest.mark.parametrize(
    "message",
    [
        "Describe prices",
        "Tidy up",
        "Add `refund()`\n\nIt pays back what was paid.\n\nSigned-off-by: 山田 太郎 <a@example.org>\n",
        "Fix the label `价格`\n\n```python\nprint(total([1]))\n```\n",
        "Update dependencies\n\n- bump a from 1 to 2\n",
        "Merge branch 'main' of example.org:shop",
    ],
)
def test_a_usual_commit_is_not_commented_on(message: str) -> None:
    assert list_unread_messages([LedgerEntry(CommitText("0", "", "", message, 0), ())]) == ()
