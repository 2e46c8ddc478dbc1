"""Wordings of orders that have no verb of a tool, or not at the beginning: each is put as an order with that verb.

Groups: ``x`` and ``y`` are files, ``f`` the name of a format, ``n`` one name, ``p`` names, ``r`` the rest of the
request, which stays. What stands for a group by ``{f}`` is the format's extension.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from verigate.requests.wordings.cells import PATH, PATH_LIST


class Wording(NamedTuple):
    """A pattern for the whole of a request, and the order that it means. ``looks``: nothing may be changed by it."""

    pattern: str
    order: str
    looks: bool = False


REST = r"(?P<r>(?: .+)?)"
_X, _Y = "<X>", "<Y>"
FORMAT = (
    r"(?:(?P<one>an?|one|single) |the )?(?:new |plain |single )?(?P<f>[\w.]+)(?: "
    r"(?:file|files|format|document|documents|page|image|picture|video|"
    r"version|versions|container|table|markup|ebook|copy))?(?: \([\w.]+\))?"
)
NAME = rf"(?P<n>{PATH}|[\w@+][\w@.+-]*)"
_ONE = (
    rf"(?:{PATH}|(?!(?:for|in|with|to|called|named|inside|where|that|my|the|an?|"
    r"and|at|of|under|from|on|which)[^\w])[\w@+][\w@.+-]*)"
)
COMPRESSED = (
    r"(?:(?P<c>(?:xz|gz|gzip|bzip2|bz2|zstd)(?:-compressed| compressed)|gzipped|uncompressed|plain|compressed) )?"
)
ARCHIVE = r"(?:tarball|archive|tar archive|tar file|tar)"
_FOLDER = r"(?:folder|folders|directory|directories|dir|dirs)"
MUST = r"(?:should|must|shall|ought to|has to|have to|needs? to)"
_OWNER = r"(?:me|myself|the owner|its owner|the user|i)"
_WIPE = r"(?:away|out|in the (?:bin|trash|trash can|rubbish|garbage|bin please)|into the (?:bin|trash|rubbish))"

WHO = (
    r"(?P<who>everyone|everybody|all|anyone|anybody|all users|me|myself|the owner|its owner|the user|"
    r"the group|its group|group|others|other users|the world|the others)"
)
DO = r"(?P<do>(?:read|write|execute|run)(?:(?: ,)?(?: and)? (?:read|write|execute|run))*)"
VERBS: Final = {
    "rotated": "rotate", "resized": "resize", "scaled": "scale", "converted": "convert", "cropped": "crop",
    "stretched": "stretch", "turned": "turn", "compressed": "compress", "packed": "pack", "copied": "copy",
    "moved": "move", "renamed": "rename", "removed": "remove", "deleted": "delete", "extracted": "extract",
    "unpacked": "unpack", "staged": "stage", "linted": "lint", "checked": "check", "formatted": "format",
    "shrunk": "shrink", "enlarged": "enlarge", "trimmed": "trim", "reformatted": "reformat", "linting": "lint",
    "formatting": "format", "rotating": "rotate", "resizing": "resize", "checking": "check", "untracked": "untrack",
    "restored": "restore", "transcoded": "transcode", "fixed": "fix", "duplicated": "duplicate",
}  # fmt: skip
"""Participles of orders. "Needs linting" is one, too."""

_V = rf"(?P<v>{'|'.join(VERBS)})"

ORDERS: Final = (
    # --- what is to become of something
    Wording(rf"{_X} {MUST} be (?:called|named|renamed to) {NAME}{REST}", "rename {x} to {n} {r}"),
    Wording(rf"(?:from now on )?{_X} {MUST} be (?:called|named) {NAME}{REST}", "rename {x} to {n} {r}"),
    Wording(rf"change the name of {_X} to {NAME}", "rename {x} to {n}"),
    Wording(rf"give {_X}(?: an?)? -> (?P<n>{PATH})", "rename {x} to {n}"),
    Wording(rf"call {_X} (?P<n>{PATH})", "rename {x} to {n}"),
    Wording(rf"{_X} {MUST} be {_V}{REST}", "{v} {x} {r}"),
    Wording(rf"{_X} (?:needs?|wants?) (?:to be )?{_V}{REST}", "{v} {x} {r}"),
    Wording(rf"{_X} (?:can|may) (?:go|be thrown away|be thrown out)(?: away| now)?", "remove {x}"),
    Wording(
        rf"(?:throw|chuck|toss|put) {_X} {_WIPE}(?: , i don't need (?:it|them|that|this)(?: any ?more| any longer)?)?",
        "remove {x}",
    ),
    Wording(rf"throw (?:away|out) {_X}", "remove {x}"),
    Wording(
        rf"(?:i|we) (?:no longer|don't) (?:need|want|use) {_X}(?: any ?more| any longer)? [,;] (?:so "
        rf")?(?:please )?(?:delete|remove|trash) (?:it|them|the (?P<noun>folder|directory|file|files))",
        "remove {noun} {x}",
    ),
    Wording(rf"(?P<b>cp|mv|ln -s|ln)(?: -[rR])? {_X} {NAME}", "{b} {x} -> {n}"),
    Wording(
        rf"{_X} (?:belongs?|should go|must go|goes?|go) (?:in|into|to|inside) {_Y}(?: , (?:please )?move "
        rf"(?:it|them)(?: there| over)?)?",
        "move {x} to {y}",
    ),
    Wording(
        rf"(?:overwrite|replace) {_X} (?:with|by) (?:the (?:content|contents) of |a copy of )?{_Y}", "copy {y} to {x}"
    ),
    Wording(
        rf"(?:make|create)(?: me)? an? (?:full |complete |backup |second |exact "
        rf")?(?:copy|backup|duplicate|clone) of {_X}(?P<r> .+)",
        "copy {x} {r}",
    ),
    Wording(
        rf"(?:make|create|produce)(?: me)? an? (?P<v>grayscale|rotated|resized|stretched|cropped|scaled) "
        rf"(?:copy|version|picture) of {_X}{REST}",
        "{v} {x} {r}",
    ),
    Wording(
        rf"an? (?P<v>grayscale|rotated|resized|stretched|cropped|scaled) (?:copy|version|picture|image) of {_X}{REST}",
        "{v} {x} {r}",
    ),
    Wording(
        rf"(?:take|remove|drop|strip) (?:the |all (?:the )?)?colou?rs? (?:out of|from|of) {_X}{REST}",
        "grayscale {x} {r}",
    ),
    Wording(rf"(?P<v>double|halve) (?:the )?size of {_X}{REST}", "scale {x} {z} {r}"),
    Wording(rf"(?P<v>double|halve) {_X} in size{REST}", "scale {x} {z} {r}"),
    Wording(rf"(?:make |scale )?(?P<d>to \d+(?:\.\d+)? %) of {_X}{REST}", "scale {x} {d} {r}"),
    Wording(rf"{_X}(?: ,)?(?: but)?(?: in)? (?:grayscale|black and white){REST}", "grayscale {x} {r}"),
    Wording(rf"{_X} {MUST} be in {_Y} (?:as well|too|also)", "copy {x} to {y}"),
    # --- formats
    Wording(
        rf"{_X} {MUST} (?:be|become|turn into) (?:(?P<only>an?|one) |the ){FORMAT}{REST}", "convert {x} to {f} {r}"
    ),
    Wording(
        rf"(?:make|produce|create|generate|prepare|build|render|export|write)(?: me)? (?:(?P<only>an?|one)|the) "
        rf"(?P<j>standalone |complete |new )?{FORMAT}(?: (?:called |named )?(?P<n>{PATH}))?(?: (?P<h>with an? "
        rf"table of contents))? (?:of|from|out of) {_X}{REST}",
        "convert {x} to {f} {result} {j} {h} {r}",
    ),
    Wording(
        rf"(?:the |an? )?(?P<f>\w+) (?:version|copy|edition|rendering)(?: (?P<g>\w+))? of {_X}(?: wanted| "
        rf"needed| please)?{REST}",
        "convert {x} to {f} {r}",
    ),
    Wording(
        rf"(?:prepare|make|produce|create|generate)(?: me)? (?:the |an? )?(?P<f>\w+) "
        rf"(?:version|copy|edition|rendering)(?: (?P<g>\w+))? of {_X}{REST}",
        "convert {x} to {f} {r}",
    ),
    Wording(
        rf"(?:turn|make|get|put|change|transform|convert|want|have|render|store|bring|write|export|save) "
        rf"{_X} (?:into |to |as |in )?(?:(?P<only>an?|one) |the ){FORMAT}(?: (?P<n>{PATH}))?{REST}",
        "convert {x} to {f} {result} {r}",
    ),
    Wording(rf"(?:make|get|want|have|put) {_X} (?:into|to|as) {FORMAT}{REST}", "convert {x} to {f} {r}"),
    Wording(rf"{_X} (?:to|as|into|in|->) {FORMAT}(?: , (?P<n>{PATH}))?{REST}", "convert {x} to {f} {result} {r}"),
    Wording(rf"(?P<x>{PATH}) (?:to|as|into|->) (?P<n>{PATH}){REST}", "convert {x} to {n} {r}"),
    Wording(
        rf"(?:write|export|save|store) (?P<x>{PATH}) (?:out )?(?:as|to) (?P<n>{PATH}){REST}", "convert {x} to {n} {r}"
    ),
    Wording(
        rf"(?:make|create|produce|generate|build|write)(?: me)? (?P<n>{PATH}) (?:from|out of|of) {_X}{REST}",
        "{k} {x} to {n} {r}",
    ),
    # --- archives
    Wording(
        rf"(?:bundle|pack|compress|archive|put|combine|collect|tar|pack up|wrap) {_X}(?: up)?(?: together)? "
        rf"(?:in|into|to|as) (?:an?|one|single|one single) {COMPRESSED}{ARCHIVE}(?: called| named| file)? "
        rf"(?P<n>{PATH}){REST}",
        "pack {x} to {n} {r}",
    ),
    Wording(
        rf"(?:(?:make|create|build|produce)(?: me)? )?(?:an? |one )?{COMPRESSED}{ARCHIVE}(?: called| "
        rf"named| file)? (?P<n>{PATH}) (?:of|from|with|out of|containing) {_X}{REST}",
        "pack {x} to {n} {r}",
    ),
    Wording(
        rf"(?:make|create|build|produce)(?: me)? (?:an? |one ){COMPRESSED}{ARCHIVE} (?:of|from|with|out "
        rf"of|containing) {_X} -> (?P<n>{PATH}){REST}",
        "pack {x} to {n} {r}",
    ),
    Wording(
        rf"(?:extract|unpack|get|take|pull) (?:only |just )?(?P<m>{PATH_LIST}) (?:from|out of) (?P<a>{PATH}){REST}",
        "extract {a} {members} {r}",
    ),
    Wording(
        rf"from (?P<a>{PATH}) (?:extract|unpack|get|take) (?:only |just )?(?P<m>{PATH_LIST}){REST}",
        "extract {a} {members} {r}",
    ),
    # --- folders, links, permissions
    Wording(
        rf"(?:(?:make|create|add|set up)(?: me)? )?(?:(?:an?|one|two|three|four|five|the) )?(?:new "
        rf"empty|new|empty) {_FOLDER}(?: called| named| ,)? (?P<p>{_ONE}(?:(?: ,| and| , and) {_ONE})*){REST}",
        "make folder {p} {r}",
    ),
    Wording(
        rf"(?:(?:make|create|add|set up)(?: me)? )?(?:an? |the )?(?:new |empty "
        rf")?(?:folder|directory|dir|subfolder|subdirectory)(?: called| named)? {NAME} "
        rf"(?:in|inside|under|to|below|within) {_X}",
        "make folder {w}",
    ),
    Wording(
        rf"(?:(?:make|create|add|set up)(?: me)? )?(?:an? |the )?(?P<l>symbolic link|symlink|soft link|sym "
        rf"link|hard link|hardlink|link) (?:called |named )?{NAME}(?: at the top| here)? (?:pointing|that "
        rf"points|which points|that leads|which leads|leading|that refers|linking|pointing over) (?:to|at) "
        rf"{_X}{REST}",
        "{l} {x} -> {n} {r}",
    ),
    Wording(
        rf"(?:(?:make|create|add|set up)(?: me)? )?(?:an? |the )?(?P<l>symbolic link|symlink|soft link|hard "
        rf"link|hardlink|link) to {_X} (?:called|named|at|as|in) {NAME}{REST}",
        "{l} {x} -> {n} {r}",
    ),
    Wording(
        rf"(?:make|set) {_X} (?:executable|runnable)(?P<r>(?: for (?:me|all|everyone|everybody))?)",
        "chmod +x {files} {r}",
    ),
    Wording(rf"{_X} {MUST} be (?:executable|runnable)", "chmod +x {files}"),
    Wording(rf"make {_X} (?:read-only|readonly|unwritable|write-protected)", "chmod a-w {x}"),
    Wording(rf"(?:allow|let|permit) {WHO}(?: to)? {DO} (?:to )?{_X}", "chmod {who}+{do} {x}"),
    Wording(rf"(?:give|grant) {WHO} {DO} (?:permissions?|access|rights?) (?:on|to|for) {_X}", "chmod {who}+{do} {x}"),
    Wording(rf"{WHO} (?:may|can|{MUST} be able to) {DO} {_X}", "chmod {who}+{do} {x}"),
    Wording(rf"make {_X} (?P<can>readable|writable|writeable|executable) (?:for|by) {WHO}", "chmod {who}+{do} {x}"),
    Wording(
        rf"(?:remove|revoke|take away|drop) (?:the )?{DO} (?:permissions?|access|rights?) "
        rf"(?:from|on|of|for) {_X}(?: (?:for|from) {WHO})?",
        "chmod {who}-{do} {x}",
    ),
    Wording(
        rf"(?:remove|revoke|take away|drop) {WHO}(?:'s|s')? {DO} (?:permissions?|access|rights?) "
        rf"(?:from|on|of|for|to) {_X}",
        "chmod {who}-{do} {x}",
    ),
    Wording(
        rf"(?:set|change) the (?:mode|permissions|permission|rights) (?:of|for|on) {_X} to (?P<o>\S+)", "chmod {o} {x}"
    ),
    Wording(rf"(?:set|give) {_X} (?:to )?(?:the )?(?:mode|permissions) (?:to )?(?P<o>\S+)", "chmod {o} {x}"),
    Wording(
        rf"{_X} (?:must|should|shall|may|has to) (?:only )?be readable and writ(?:e)?able (?:only "
        rf"(?:by|for|to)|(?:by|for|to) only) {_OWNER}(?: ,)?(?: (?:and )?(?:nobody|no one) else)?",
        "chmod 600 {files}",
    ),
    Wording(
        rf"{_X}(?: ,)? only {_OWNER} (?:may|can|should) (?:be able to )?read and write(?: it| to it)?(?: "
        rf",)?(?: (?:and )?(?:nobody|no one) else)?",
        "chmod 600 {files}",
    ),
    Wording(
        rf"only {_OWNER} (?:may|can|should) (?:be able to )?read and write {_X}(?: ,)?(?: (?:and "
        rf")?(?:nobody|no one) else)?",
        "chmod 600 {files}",
    ),
    # --- git
    Wording(
        r"(?:stage|add|git add) (?:everything|all|all (?:the |my )?(?:changes|files))(?: for the next commit| to git)?",
        "stage .",
    ),
    Wording(
        rf"(?:stage|add) (?:all )?(?:the |my )?(?:changes|edits|modifications) (?:in|to|of|under) {_X}", "stage {x}"
    ),
    Wording(
        rf"(?:undo|revert|discard|drop|throw away|forget|cancel) (?:all )?(?:the |my )?(?:uncommitted |local "
        rf"|unstaged )?(?:changes|edits|modifications) (?:to|in|of|on|made to) {_X}",
        "restore {x}",
    ),
    Wording(
        rf"(?:undo|revert|discard|drop|cancel) what (?:i|we) (?:did|changed|have done|have changed) (?:to|in) {_X}",
        "restore {x}",
    ),
    Wording(
        rf"(?:restore|revert|reset) {_X} to (?:the |its |their )?(?:last |latest )?(?:committed|checked-in) "
        rf"(?:versions?|state)",
        "restore {x}",
    ),
    Wording(
        rf"forget {_X}(?: in git)?(?: ,)? (?:but|yet|and) (?:keep|leave) (?:it|them|the files?)(?: (?:on "
        rf"(?:the |my )?disk|here|in place|alone))?",
        "untrack {x} keep the files",
    ),
    Wording(
        rf"(?:stop tracking|untrack) {_X}(?: in git)?(?: ,)? (?:but|yet|and) (?:do not|don't) "
        rf"(?:delete|remove) (?:it|them)(?: from (?:the |my )?disk)?",
        "untrack {x} keep the files",
    ),
    Wording(
        rf"(?:stop tracking|untrack) {_X}(?: in git)?(?: ,)? (?:but|yet|and) (?:keep|leave) (?:it|them|the "
        rf"files?)(?: (?:on (?:the |my )?disk|here|in place|alone))?",
        "untrack {x} keep the files",
    ),
    Wording(
        rf"(?:i (?:messed up|broke|ruined|botched|changed|edited) {_X}(?: by mistake| by accident| "
        rf"accidentally)? [,;] )(?:please )?(?:undo (?:that|it|this)|restore (?:it|them)|revert (?:it|them))",
        "restore {x}",
    ),
    Wording(
        rf"(?:i (?:messed up|broke|ruined|botched) {_X} [,;] )(?:please )?(?:bring|get|put) back the (?:last "
        rf")?committed (?:versions?|state)",
        "restore {x}",
    ),
    Wording(rf"(?:bring|get|put) back the (?:last )?committed (?:versions?|state) of {_X}", "restore {x}"),
    Wording(
        rf"(?:put|bring|reset|set|take) {_X} (?:back )?to (?:how (?:it was|they were) at |the state of |the "
        rf"version of )?(?:the )?last commit",
        "restore {x}",
    ),
    # --- a tool that is let do it
    Wording(
        rf"(?:let|have) (?P<tool>[\w-]+) (?P<v>repair|fix|format|reformat|autofix) "
        rf"(?:whatever|what|everything|all)(?: it| that it)?(?: safely)? can(?: safely)?(?: repair| fix)? in "
        rf"{_X}{REST}",
        "{v} {x} using {tool} {r}",
    ),
    Wording(
        rf"(?:let|have) (?P<tool>[\w-]+) "
        rf"(?P<v>repair|fix|format|reformat|autofix|check|lint|convert|resize|rotate|search|scan|audit) "
        rf"{_X}{REST}",
        "{v} {x} {r} using {tool}",
    ),
    Wording(
        rf"use (?P<tool>[\w-]+) to "
        rf"(?P<v>repair|fix|format|reformat|autofix|check|lint|convert|resize|rotate|search|scan|audit) "
        rf"{_X}{REST}",
        "{v} {x} {r} using {tool}",
    ),
    # --- pictures, sound and video
    Wording(rf"(?:fit|get) {_X} (?:in|into|inside|within) (?P<d>\d+x\d+){REST}", "resize {x} to {d} {r}"),
    Wording(rf"{_X} (?:{MUST} )?(?:fit|fits) (?:in|into|inside|within) (?P<d>\d+x\d+){REST}", "resize {x} to {d} {r}"),
    Wording(rf"{_X} (?:at|in) (?P<d>\d+x\d+){REST}", "resize {x} to {d} {r}"),
    Wording(rf"make {_X} (?P<d>\d+x\d+)(?: big| large)?{REST}", "resize {x} to {d} {r}"),
    Wording(rf"(?:make {_X} )(?P<d>(?:width|height) \d+){REST}", "resize {x} to {d} {r}"),
    Wording(
        rf"(?:make )?{_X}(?: ,)? (?:{MUST} (?:have|get) |has |have |at )?(?P<d>(?:width|height) \d+){REST}",
        "resize {x} to {d} {r}",
    ),
    Wording(rf"(?:make )?{_X} (?P<d>to \d+(?:\.\d+)? %){REST}", "scale {x} {d} {r}"),
    Wording(rf"{_X} lies on its side , (?P<r>rotate by .+)", "rotate {x} {r}"),
    Wording(
        rf"(?:keep|take|cut out|use) (?:only |just )?the (?:central|middle|center|centre)(?: part)? "
        rf"(?P<d>\d+x\d+)(?: part)? (?:of|from|out of) {_X}{REST}",
        "crop {x} to {d} {r}",
    ),
    Wording(
        rf"(?:crop|cut|take|keep|get|extract) (?:only |just )?(?:an? |the )(?P<d>\d+x\d+)(?: "
        rf"(?:square|part|area|region|piece|rectangle))? (?:out of|from|of|in) the (?:middle|center|centre) "
        rf"(?:of|from) {_X}{REST}",
        "crop {x} to {d} {r}",
    ),
    Wording(
        rf"(?:crop|cut|cut out) (?:only |just )?the (?:central|middle|center|centre)(?: part)? "
        rf"(?P<d>\d+x\d+) (?:out of|from|of|in) {_X}{REST}",
        "crop {x} to {d} {r}",
    ),
    Wording(
        rf"(?:keep|take|save|extract|cut|get|clip) (?:only |just )?(?:the part )?(?P<s>from \S+ to \S+) "
        rf"(?:of|from|out of) {_X}{REST}",
        "trim {x} {s} {r}",
    ),
    Wording(
        rf"(?:keep|take|save|extract|cut|get|clip|trim) (?P<t>\d+(?:\.\d+)?) (?P<u>seconds?|minutes?|s|min) "
        rf"(?:of|from|out of) {_X}(?P<r> (?:starting|beginning|from) .+)",
        "trim {x} lasting {t} {u} {r}",
    ),
    Wording(
        rf"(?:keep|take|save|extract|get) (?:only |just )?the first (?P<t>\d+(?:\.\d+)?) "
        rf"(?P<u>seconds?|minutes?|s|min) (?:of|from|out of) {_X}{REST}",
        "trim {x} from 0s to {t} {u} {r}",
    ),
    Wording(
        rf"the first (?P<t>\d+(?:\.\d+)?) (?P<u>seconds?|minutes?|s|min) of {_X}{REST}",
        "trim {x} from 0s to {t} {u} {r}",
    ),
    Wording(
        rf"(?:(?:extract|get|take|pull|save|keep|rip) )?(?:only |just )?the (?:sound|soundtrack|audio|audio "
        rf"track|sound track)(?: only)? (?:of|from|in|out of) {_X}{REST}",
        "extract audio of {x} {r}",
    ),
    Wording(
        rf"(?:an? )?(?P<v>still|frame|thumbnail|screenshot) (?:from|of|out of) {_X}{REST}", "extract {v} from {x} {r}"
    ),
    Wording(
        rf"(?:put|remux|rewrap) {_X} (?:into|in|to) (?:an? )?(?P<f>\w+)(?: container)?{REST}", "convert {x} to {f} {r}"
    ),
    # --- texts
    Wording(
        rf"{_X} (?:has|have) (?:some |many |a few )?(?:typos|spelling mistakes|spelling errors|misspellings) "
        rf", (?:please )?(?:fix|correct) (?:them|those)",
        "fix typos in {x}",
    ),
    Wording(
        rf"(?:fix|repair|autofix) (?:the |all |all the )?(?:lint |linting |linter "
        rf")?(?:errors|issues|warnings|complaints|findings|problems) (?:in|of) {_X}{REST}",
        "fix lint problems in {x} {r}",
    ),
    Wording(
        rf"(?:correct|fix|repair) (?:the |all )?(?:spelling|misspellings?|spelling mistakes|spelling "
        rf"errors|typos|misspelled words|misspelt words)(?: in| of)? {_X}{REST}",
        "fix typos in {x} {r}",
    ),
    Wording(
        rf"(?:misspelled words|misspellings|typos|spelling mistakes)(?: anywhere)? (?:in|under|below) "
        rf"{_X}(?: ,)? (?:correct|fix) them(?: right)?(?: in (?:the files?|place))?",
        "fix typos in {x}",
    ),
)
