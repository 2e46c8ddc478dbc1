"""More wordings of orders, which are tried after those of ``orders``: sentences that say a state that is wanted."""

from __future__ import annotations

from typing import Final

from verigate.requests.wordings.cells import PATH
from verigate.requests.wordings.orders import ARCHIVE, COMPRESSED, DO, FORMAT, MUST, NAME, REST, WHO, Wording

_X, _Y = "<X>", "<Y>"
_FOLDER = r"(?:folder|directory|dir)"
_MIDDLE = r"(?:central|middle|center|centre)"
_SECONDS = r"(?P<t>\d+(?:\.\d+)?) (?P<u>seconds?|minutes?|s|min)"

_MADE = (
    r"(?P<v>rotated|resized|scaled|converted|cropped|stretched|compressed|packed|trimmed|shrunk|enlarged|transcoded)"
)

MORE_ORDERS: Final = (
    Wording(rf"{_X} {_MADE}{REST}", "{v} {x} {r}"),
    Wording(rf"(?:set|change) {_X} to (?P<o>[0-7]{{3,4}})", "chmod {o} {x}"),
    Wording(rf"(?:stage|add) my change (?:to|in) {_X}", "stage {x}"),
    Wording(
        rf"(?:remove|take|drop|delete) {_X} (?:from|out of) git(?: ,)? (?:but|yet|and) "
        rf"(?:keep|leave) (?:it|them|the files?)"
        r"(?: (?:on (?:the |my )?disk|here|in place|alone))?",
        "untrack {x} keep the files",
    ),
    Wording(
        rf"{_X} {MUST} (?:also )?(?:be available|exist|be there|be)(?: also)? (?:as|in) {FORMAT}(?: "
        rf"as well| too)?{REST}",
        "convert {x} to {f} {r}",
    ),
    Wording(
        rf"an? (?P<j>complete |standalone )?{FORMAT}(?: (?P<h>with an? table of contents))? "
        rf"(?:of|from|out of) {_X}{REST}",
        "convert {x} to {f} {j} {h} {r}",
    ),
    Wording(
        rf"(?:cut off|chop off|skip|drop|leave out) the first {_SECONDS} (?:of|off|from) {_X} (?P<r>->.+)",
        "trim {x} from {t} {u} {r}",
    ),
    Wording(rf"(?:what comes|everything|all) after the first {_SECONDS} of {_X}{REST}", "trim {x} from {t} {u} {r}"),
    Wording(
        rf"(?:empty|empty out|clear|clear out) {_X}(?: ,)?(?: but)? (?:(?:leave|keep) the "
        rf"(?:folder|directory)(?: itself)?"
        r"(?: standing| there| alone)?|the (?:folder|directory) itself (?:stays|remains))",
        "remove everything in {x}",
    ),
    Wording(
        rf"(?:resize|scale|shrink) {_X} to fit (?:in|into|inside|within) (?P<d>\d+x\d+){REST}", "resize {x} to {d} {r}"
    ),
    Wording(rf"make {_X} (?:smaller|bigger|larger)(?: ,)?(?: to)? (?P<d>\d+x\d+){REST}", "resize {x} to {d} {r}"),
    Wording(
        rf"(?:crop|cut) (?P<d>\d+x\d+) (?:out of|from|of|in) the {_MIDDLE} (?:of|from) {_X}{REST}",
        "crop {x} to {d} {r}",
    ),
    Wording(rf"take an? (?:picture|image|photo|snapshot) (?:from|of|out of) {_X}{REST}", "extract frame from {x} {r}"),
    Wording(rf"{FORMAT} (?:of|from|out of) {_X}{REST}", "convert {x} to {f} {r}"),
    Wording(
        rf"(?:make|create|produce|generate)(?: me)? {FORMAT} (?:of|from|out of) {_X}{REST}", "convert {x} to {f} {r}"
    ),
    Wording(rf"{_X} {MUST} be exactly (?P<d>\d+x\d+){REST}", "stretch {x} to {d} {r}"),
    Wording(rf"make {_X} exactly (?P<d>\d+x\d+){REST}", "stretch {x} to {d} {r}"),
    Wording(rf"{_X} {MUST} be (?P<d>\d+x\d+){REST}", "resize {x} to {d} {r}"),
    Wording(rf"{_X} as an? (?P<d>\d+x\d+) (?:picture|image|version|thumbnail){REST}", "resize {x} to {d} {r}"),
    Wording(rf"crop {_X} to (?:its|the) {_MIDDLE}(?: part)? (?P<d>\d+x\d+){REST}", "crop {x} to {d} {r}"),
    Wording(rf"the {_MIDDLE}(?: part)? (?P<d>\d+x\d+)(?: part)? of {_X}{REST}", "crop {x} to {d} {r}"),
    Wording(
        rf"(?:cut|trim|shorten) {_X}(?: down)? to (?:its|the) first {_SECONDS}{REST}", "trim {x} from 0s to {t} {u} {r}"
    ),
    Wording(
        rf"(?:extract|get|take|rip) (?:the )?(?:music|song|voice) (?:of|from|in|out of) {_X}{REST}",
        "extract audio of {x} {r}",
    ),
    Wording(rf"(?:make )?{_X} (?:gone|to go|to disappear|disappear|vanish)", "remove {x}"),
    Wording(
        rf"make sure (?:that )?(?:there is )?(?:the |an? )?{_FOLDER} (?:called |named )?{NAME} (?:exists|is there)",
        "make folder {n} nested",
    ),
    Wording(rf"there {MUST} be an? (?:new )?{_FOLDER} (?:called |named )?{NAME}", "make folder {n}"),
    Wording(
        rf"(?:let |make )?{NAME} (?:should be|must be|be|is to be) (?:an? )?(?:symlink|symbolic link) to {_X}",
        "symlink {x} -> {n}",
    ),
    Wording(
        rf"(?:(?:make|create|build|produce)(?: me)? )?an? {COMPRESSED}{ARCHIVE} "
        rf"(?:of|from|with|containing) {_X}(?: ,)? "
        rf"(?:called |named |-> )?(?P<n>{PATH}){REST}",
        "pack {x} to {n} {r}",
    ),
    Wording(
        rf"take(?: away)? {DO} (?:access|permissions?|rights?) (?:on|to|for|of) {_X}(?: away)? from {WHO}",
        "chmod {who}-{do} {x}",
    ),
    Wording(
        rf"{_X} needs? (?:the |to have the )?(?:execute|executable|exec) (?:bit|flag|permission)s?", "chmod +x {files}"
    ),
    Wording(
        rf"(?:throw away|drop|cancel|undo|forget) what (?:i|we) "
        rf"(?:did|changed|have done|have changed) (?:to|in|with) {_X}",
        "restore {x}",
    ),
    Wording(
        rf"(?:take|bring|set|put) {_X} back to (?:the |its |their )?(?:last )?"
        r"(?:committed|checked-in) (?:version|state)s?",
        "restore {x}",
    ),
    Wording(rf"(?:include|put) {_X} (?:in|into) (?:the|my) next commit", "stage {x}"),
    Wording(
        rf"(?:take|remove|get) {_X} (?:out of|from) (?:the |my )?(?:staging area|stage|next commit)",
        "unstage {x}",
    ),
    Wording(
        rf"(?:don't|do not|no longer) track {_X}(?: any longer| any ?more)?(?: in git)?(?: ,)? (?:but|yet|and) "
        r"(?:keep|leave) (?:it|them|the files?)(?: (?:on (?:the |my )?disk|here|in place|alone))?",
        "untrack {x} keep the files",
    ),
    Wording(
        rf"(?:clean up|tidy up|fix|improve) (?:the )?(?:formatting|layout|format|style) (?:of|in) {_X}", "format {x}"
    ),
)
