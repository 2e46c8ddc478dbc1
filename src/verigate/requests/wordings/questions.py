"""Everyday questions, put as orders that only look. They can change nothing: only what reads is a candidate."""

from __future__ import annotations

from typing import Final

from verigate.requests.wordings.cells import PATH
from verigate.requests.wordings.orders import Wording

_R = r"(?P<r>(?: .+)?)"
_X, _Y = "<X>", "<Y>"
_IN = r"(?:in|of|inside|within|under|below|for)"
_WHAT = r"(?:what's|what is|what are|whats)"
_T = rf"(?P<t>{PATH}|[\w.]+)"
_HAVE = r"(?:mentions?|contains?|has|have|uses?|includes?|says?|talk about|refer to)"
_TEXT = r"(?:the (?:word|text|string) )?"
_THEM = r"(?: in (?:them|it))?(?: anywhere)?"

_PROPERTY = (
    r"(?:codecs?|encoded|bit ?rate|frame ?rate|frames per second|fps|resolution|width|height|wide|high|tall|long|"
    r"duration|length|size|dimensions|format|type|streams?|channels?|sample "
    r"rate|pixels|landscape|large|big|colou?r space)"
)
"""What is asked of pictures, sound and videos. Only what shows their properties knows "measure"."""
QUESTIONS: Final = tuple(
    Wording(pattern, order, looks=True)
    for pattern, order in (
        (rf"(?:compare|diff) {_X} (?:with|to|against) (?:the )?last commit", "diff {x}"),
        (rf"how (?:does|do) {_X} differ from (?:the )?last commit", "diff {x}"),
        (
            (
                rf"(?:check|see|find out|verify|test) (?:if|whether) {_X} (?:has|have) (?:any )?(?:lint "
                rf")?(?:errors|problems|issues|bugs|warnings)"
            ),
            "lint {x}",
        ),
        (
            (
                rf"(?:show|list|give|find|print)(?: me)?(?: all)?(?: the)? lines (?:of|in) {_X} (?:that|which) "
                rf"(?:don't|do not|doesn't|does not) (?:contain|have|mention|match|include) {_TEXT}{_T}"
            ),
            "search for {q} in {x} not matching",
        ),
        (
            rf"(?:show|list|give|find|print)(?: me)?(?: all)?(?: the)? lines without {_TEXT}{_T} in {_X}",
            "search for {q} in {x} not matching",
        ),
        (
            rf"what would (?:the formatter|formatting|ruff|ruff format) (?:change|do|reformat)(?: in| to) {_X}",
            "formatted {x}",
        ),
        (
            (
                rf"(?:show|print|list|what is|what's)?(?: me)?(?: the)? (?:last|latest) commit(?: "
                rf"(?:of|for|to|on|in) {_X})?"
            ),
            "log {x} last 1",
        ),
        (
            rf"(?:show|tell)(?: me)? where {_TEXT}{_T} (?:occurs|appears|is used|is mentioned)(?: in {_X})?",
            "search for {q} {i}",
        ),
        (rf"what's changed in {_X}", "{state} {x}"),
        (
            rf"who (?:wrote|changed|edited|last changed|is to blame for|touched) line (?P<o>\d+) (?:of|in) {_X}",
            "blame {x} line {o}",
        ),
        (
            (
                rf"(?:which|what|list the|list|show the|find the|find) (?:of the )?files (?:in {_X} )?(?:that "
                rf"|which )?(?:lack|don't contain|do not contain|don't have|do not have|don't mention|do not "
                rf"mention|without|not containing) {_TEXT}{_T}(?: in {_Y})?"
            ),
            "search for {q} {i} {j} files without match",
        ),
        (
            (
                rf"how (?:often|many times) (?:does|do|is|are) {_TEXT}{_T} "
                rf"(?:(?:occur|appear|used|mentioned|come up|there) )?in {_X}"
            ),
            "count {q} in {x} every occurrence",
        ),
        (
            (
                rf"(?:look|check|see) (?:in|into|through|inside) {_X} for (?:the (?:word|text|string) "
                rf")?(?P<cap>{PATH}|[\w.]+)"
            ),
            "search for {q} in {x}",
        ),
        (
            (
                rf"(?:what|which|how|what's|is|are|does|do)(?: \S+){{0,6}}? {_PROPERTY}(?: \S+){{0,5}}? {_X}(?: "
                rf"\S+){{0,4}}"
            ),
            "measure {x}",
        ),
        (
            (
                rf"(?:what|which|how|what's|is|are|does|do)(?: \S+){{0,5}}? {_X}(?: \S+){{0,4}}? {_PROPERTY}(?: "
                rf"\S+){{0,3}}"
            ),
            "measure {x}",
        ),
        (rf"what would be (?:unpacked|extracted) from {_X}", "show contents of {x}"),
        (rf"(?:which|what) (?:\w+ )?(?:are|is) (?:in|inside) {_X}", "show contents of {x}"),
        (rf"(?:which|what) of (?:my|the|our) files(?: in {_X})? {_HAVE} {_TEXT}{_T}", "search for {q} {i} names only"),
        (
            rf"where in {_X} (?:is|are|does|do) {_TEXT}{_T}(?: used| mentioned| appear| occur| defined)?",
            "search for {q} in {x}",
        ),
        (rf"(?:does|do) any(?:thing| file| files| line| lines)? in {_X} {_HAVE} {_TEXT}{_T}", "search for {q} in {x}"),
        (rf"(?:i'm|i am|we're|we are) looking for {_TEXT}{_T}(?: in {_X})?", "search for {q} {i}"),
        (
            rf"(?:is|are) there (?:anything|something|any code) (?:insecure|dangerous|unsafe|risky) in {_X}",
            "scan {x} for security problems",
        ),
        (
            (
                rf"(?:is|are) (?:the )?(?:packages|dependencies|versions|requirements) (?:in|of) {_X} "
                rf"(?:safe|secure|vulnerable|known to be vulnerable)"
            ),
            "audit {x}",
        ),
        (rf"(?:show|list|report|give)(?: me)? only rule (?P<c>\w+) in {_X}", "lint {x} only rule {c}"),
        (rf"(?:the )?last commit (?:that|which) (?:touched|changed) {_X}", "log of {x} last 1"),
        (rf"what's new in {_X}(?: (?:compared to|since|against) the last commit)?", "diff {x}"),
        (r"(?:what's|what is|what have i|what did i|which files are|what are) staged", "show staged changes"),
        (
            rf"(?:search|look|grep|find)(?: for)? {_TEXT}{_T} in (?:all|every|all the|any) files?{_R}",
            "search for {q} {r}",
        ),
        (r"what(?: has| have)?(?: i)? changed", "status"),
        (rf"what (?:was|were) changed in {_X}", "diff {x}"),
        (
            (
                rf"(?:{_WHAT}|what files are|which files are|show me what's|show what's|list what's|see "
                rf"what's)(?: there)?(?: stored| packed)? (?:in|inside|within|in the archive|inside the archive) "
                rf"{_X}"
            ),
            "show contents of {x}",
        ),
        (rf"(?:show|tell)(?: me)? what (?:is|are) (?:in|inside) {_X}", "show contents of {x}"),
        (rf"(?:list|show|see|tell)(?: me)? what {_X} (?:contains|holds|has in it)", "show contents of {x}"),
        (rf"what (?:does|do) {_X} (?:contain|hold|have in it)", "show contents of {x}"),
        (rf"(?:peek|look|have a look|take a look) (?:into|inside|in) {_X}", "show contents of {x}"),
        (
            (
                rf"(?:an? )?(?:list|listing|table of contents) of (?:what is in |what's in |the "
                rf"(?:files|contents?) (?:in|of) )?{_X}"
            ),
            "show contents of {x}",
        ),
        (rf"{_WHAT} (?:the )?contents of {_X}", "show contents of {x}"),
        (
            (
                rf"(?:what size|how (?:big|large|wide|high|tall)(?: and how (?:big|large|wide|high|tall))?|how "
                rf"many pixels) (?:is|are|has|have|does|do) {_X}(?: in pixels| have)?"
            ),
            "measure {x}",
        ),
        (
            rf"{_WHAT} the (?:size|sizes|dimensions|resolution|width and height|format|formats|width|height) of {_X}",
            "measure {x}",
        ),
        (
            rf"(?:which|what) (?:size|dimensions|format|resolution) (?:do|does|is|are|has|have) {_X}(?: have| in)?",
            "measure {x}",
        ),
        (
            (
                rf"(?:which|what) (?:codecs?|resolution|format|bitrate|frame rate|streams) "
                rf"(?:do|does|is|are|has|have) {_X}(?: have| use| in| contain)?"
            ),
            "probe {x}",
        ),
        (rf"how long (?:is|are|does|do) {_X}(?: last| take| run| play)?", "probe {x}"),
        (
            (
                rf"who (?:wrote|changed|edited|last (?:changed|edited|touched)|touched|is to blame for|is "
                rf"responsible for) (?:each line (?:of|in) |the lines (?:of|in) |which (?:lines?|part) (?:of|in) "
                rf")?{_X}"
            ),
            "blame {x}",
        ),
        (
            (
                rf"what (?:did i|have i|did we|have we|i) (?:change|changed|edit|edited|modify|modified|do|done) "
                rf"(?:in|to|with) {_X}"
            ),
            "diff {x}",
        ),
        (
            rf"what (?:has |have )?(?:changed|been changed|is different|is new) in {_X}(?: since the last commit)?",
            "{state} {x}",
        ),
        (
            (
                rf"(?:how do|what do|{_WHAT}) (?:the |my )?(?:uncommitted |local |unstaged )?changes "
                rf"(?:in|of|to) {_X}(?: look(?: like)?)?"
            ),
            "diff {x}",
        ),
        (
            (
                r"(?:which|what) files (?:did i|have i|have been|were|are|i have|i) "
                r"(?:changed?|modified|modify|edited|touched|uncommitted)"
            ),
            "status",
        ),
        (rf"{_WHAT} (?:the )?(?:git )?(?:status|state)(?: (?:of|in) {_X})?", "status {x}"),
        (
            rf"(?:which|what) commits (?:touched|changed|overwrote|modified|are about|concern|affect(?:ed)?) {_X}",
            "log {x}",
        ),
        (rf"what did (?P<t>\w+) (?:commit|change)(?: (?:in|to) {_X})?", "log by {t} {i}"),
        (
            (
                rf"(?:is|are) there (?:any )?(?:trailing )?(?:whitespace|white space|blanks)(?: errors| "
                rf"problems)?(?: at (?:the )?line ends)? in (?:my|the|our) (?:uncommitted )?changes(?: "
                rf"(?:to|in|of) {_X})?"
            ),
            "whitespace {x}",
        ),
        (
            (
                rf"(?:list|show|give|find)(?: me)?(?: all)?(?: the)? files (?:in {_X} )?(?:that |which |where "
                rf")?(?:with|containing|{_HAVE}) {_TEXT}{_T}{_R}"
            ),
            "search for {q} {i} names only {r}",
        ),
        (
            (
                rf"(?:list|show|give|find|print|get)(?: me)?(?: all)?(?: the| every)? lines? "
                rf"(?:with|containing|that (?:has|have|contain|contains|mention)) {_TEXT}{_T} in {_X}"
            ),
            "search for {q} in {x}",
        ),
        (
            rf"(?:is|are) there (?:an? |any )?(?:the word |mention of |mentions of )?(?P<cap>{PATH}|[\w.]+) in {_X}",
            "search for {q} in {x}",
        ),
        (
            rf"(?:does|do) {_X} (?:mention|contain|include|say|use|refer to) {_TEXT}{_T}(?: anywhere| somewhere)?",
            "search for {q} in {x}",
        ),
        (
            rf"(?:which|what) (?:of the )?(?:files|ones) (?:in|under|below) {_X} {_HAVE} {_TEXT}{_T}{_R}",
            "search for {q} in {x} names only {r}",
        ),
        (
            rf"(?:which|what) files {_HAVE} {_TEXT}{_T}(?: (?:in|under|below) {_X})?{_R}",
            "search for {q} {i} names only {r}",
        ),
        (
            (
                rf"(?:where is|where does|where do|where are) {_TEXT}{_T}(?: used| mentioned| appear| occur| "
                rf"stand| defined)? in {_X}"
            ),
            "search for {q} in {x}",
        ),
        (rf"(?:where is|where does|where do|where are) {_TEXT}{_T} (?:used|mentioned|appear|occur)", "search for {q}"),
        (
            rf"how many lines (?:of|in|are in|are there in) {_X} (?:{_HAVE}|with|containing) {_TEXT}{_T}{_THEM}",
            "count {q} in {x}",
        ),
        (
            (
                rf"how many lines (?:with|have|contain|containing) {_TEXT}{_T} (?:are there |are |does |do "
                rf")?(?:in )?{_X}(?: have| contain)?"
            ),
            "count {q} in {x}",
        ),
        (
            (
                rf"how many lines (?:with|have|contain|containing) {_TEXT}{_T} (?:are (?:there )?|does |do "
                rf")?(?:in )?each file(?: have| contain)?(?: (?:in the )?(?:whole|entire) "
                rf"(?:project|repository|repo))?"
            ),
            "count {q}",
        ),
        (rf"(?:look up|find) {_TEXT}{_T} in {_X}", "search for {q} in {x}"),
        (
            (
                rf"(?:does|do|has|have) {_X} (?:have|contain|got) (?:any )?(?:typos|spelling "
                rf"(?:mistakes|errors)|misspellings)"
            ),
            "check {x} for typos",
        ),
        (
            rf"(?:are there|is there) (?:any )?(?:typos|spelling (?:mistakes|errors)|misspellings) in {_X}",
            "check {x} for typos",
        ),
        (
            (
                rf"(?:does|do|has|have) {_X} (?:have|contain|got) (?:any )?(?:lint "
                rf")?(?:errors|problems|issues|bugs|warnings|lint){_R}"
            ),
            "lint {x} {r}",
        ),
        (
            (
                rf"(?:are there|is there) (?:any |anything )?(?:lint "
                rf")?(?:errors|problems|issues|bugs|warnings|wrong|trouble) (?:in|with) {_X}{_R}"
            ),
            "lint {x} {r}",
        ),
        (rf"{_WHAT} wrong (?:with|in) {_X}{_R}", "lint {x} {r}"),
        (
            rf"(?:is|are) {_X} (?:properly |correctly |well |already )?formatted(?: (?:properly|correctly|well))?",
            "formatted {x}",
        ),
        (rf"(?:is|are) {_X} (?:valid|clean|well-formed|correct)", "lint {x}"),
        (
            rf"(?:is|are) {_X} (?:broken|damaged|corrupt|corrupted|intact|playable|ok|okay|complete|undamaged)",
            "verify {x}",
        ),
        (rf"(?:check|test|verify) (?:if |whether |that )?{_X} for (?:damage|defects|corruption)", "verify {x}"),
        (
            rf"(?:verify|check) (?:that )?{_X} plays?(?: through)?(?: to the end)?(?: (?:without|with no) errors)?",
            "verify {x}",
        ),
        (
            (
                rf"(?:does|do) (?P<tool>[\w-]+) (?:warn|complain|find anything|report anything)(?: about)?(?: "
                rf"anything| something)? (?:about|in|with) {_X}"
            ),
            "check {x} using {tool}",
        ),
        (
            (
                rf"(?:is there|are there) (?:anything|something|files?|any files?) in {_X} (?:that|which) "
                rf"(?P<tool>\w+) would (?:reformat|format)"
            ),
            "formatted {x}",
        ),
        (
            (
                rf"(?:which|what) (?:\w+ )?files (?:in|under|of) {_X} (?:would be reformatted|are not "
                rf"formatted|aren't formatted|need formatting)"
            ),
            "formatted {x}",
        ),
        (rf"which of {_X} (?:have|has) (?:bugs|problems|errors|issues){_R}", "lint {x} {r}"),
        (
            (
                r"(?:do|does|are) any of (?:the |my )?(?:installed )?python packages (?:that )?(?:i have |that "
                r"are )?(?:installed )?(?:have|contain|with)?(?: an?)?(?: known)? "
                r"(?:cve|cves|vulnerabilit(?:y|ies)|security (?:holes?|problems?)|vulnerable)"
            ),
            "audit installed packages",
        ),
    )
)
