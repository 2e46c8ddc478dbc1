"""Words that belong to no tool: fillers, words that mark a role, names of formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def split_words(text: str) -> frozenset[str]:
    """Split a text into a set of words."""
    return frozenset(text.split())


FILLER_WORDS: Final = split_words(
    """
    a an the my our your his her their its it this these that those them they there here please just now kindly
    quickly file files folder folders directory directories dir dirs all every each any both some of on for me us i
    we you can could would will want need like let lets let's hey hi hello thanks thank so which is are was were be
    been being with and to into onto in inside under within at as from by via up out off down over new also too one
    ones contents content everything thing things called named name path paths existing current then go ahead do
    does using use run give get show take have has had what who make create made resulting result output save store
    whole entire complete full single two three following must should shall whatever is's -> again back themselves
    itself simply way together same own across along through throughout that's there's i'd i'll we'd we'll you'd
    about it's located stored sitting living found page pages repository repo project tree fit call saving storing
    writing calling naming putting generated document documents anything pls plz plx thx ty cheers u
    """
)
"""Words that are left out of account: they say nothing of what is wanted beyond what else stands there.

None of them narrows what is done; what would (``except``, ``not``, ``only``, ``older``) is not among them.
"""

LIGHT: Final = split_words(
    """
    do make create take get show give run want need use let go put have tell write produce set grab generate
    """
)
"""Verbs that carry no intent if another word does."""

NEGATIONS: Final = split_words(
    "not no never don't dont doesn't won't cannot can't without nothing neither nor stop avoid"
)

POLITE: Final = split_words(
    """
    please can could would will you i we want need like to let let's lets me us just now kindly hey hi hello ok okay
    i'd i'll we'd we'll you'd help go ahead and also then so thanks be able must should the a an pls plz plx thx ty
    cheers u real quick quickly hiya
    """
)

LOOKING: Final = split_words(
    """
    list display print find look check see view tell search examine report detect scan problem problems issue issues
    verify confirm determine know mistake mistakes error errors warning warnings trouble bug bugs possible potential
    common contain contains hole holes risk risks safe unsafe insecure proofread properly correctly well fine test words
    responsible somebody someone left anywhere versions pinned
    """
)
"""Words around what only looks: they say nothing more where nothing is changed."""

JOINING: Final = frozenset(
    {"and", "then", ",", ".", ";", "&&", "&", "|", "||", "afterwards", "before", "after", "but", "plus"}
)

INTO: Final = frozenset({"to", "into", "onto", "->", "towards"})
NAMING: Final = frozenset({"as", "called", "named", "call", "output"})
PLACING: Final = frozenset({"in", "inside", "under", "at", "within", "on", "below", "over"})
OUT_OF: Final = frozenset(
    {"from", "of", "in", "inside", "under", "within", "across", "through", "at", "on", "below", "for"}
)

FOLDER_NOUNS: Final = frozenset({"folder", "directory", "dir", "folders", "directories", "dirs"})
FILE_NOUNS: Final = frozenset({"file", "files"})
QUANTIFIERS: Final = frozenset({"all", "every", "each", "any"})

PLACES: Final[Mapping[tuple[str, ...], str]] = {
    ("parent", "folder"): "..",
    ("parent", "directory"): "..",
    ("folder", "above"): "..",
    ("directory", "above"): "..",
    ("current", "folder"): ".",
    ("current", "directory"): ".",
    ("working", "directory"): ".",
    ("this", "folder"): ".",
    ("this", "directory"): ".",
    ("this", "repository"): ".",
    ("this", "repo"): ".",
    ("whole", "repository"): ".",
    ("whole", "repo"): ".",
    ("whole", "project"): ".",
    ("this", "project"): ".",
    ("entire", "project"): ".",
    ("entire", "repository"): ".",
    ("entire", "repo"): ".",
    ("whole", "codebase"): ".",
    ("entire", "codebase"): ".",
    ("this", "codebase"): ".",
    ("here",): ".",
}

LEAVING_OUT: Final = (
    "leaving out",
    "leaving aside",
    "leave out",
    "excluding",
    "exclude",
    "except for",
    "except",
    "but not",
    "omitting",
    "skipping",
    "skip",
    "ignoring",
    "ignore",
    "disable",
    "disabling",
    "without",
)
"""Phrases that announce a slot for exclusions."""

FORMATS: Final[Mapping[str, str]] = {
    "markdown": "md",
    "html": "html",
    "webpage": "html",
    "word": "docx",
    "latex": "tex",
    "restructuredtext": "rst",
    "opendocument": "odt",
    "jpeg": "jpg",
    "tiff": "tiff",
    "matroska": "mkv",
    "quicktime": "mov",
    "vorbis": "ogg",
    "text": "txt",
    "plaintext": "txt",
    "python": "py",
    "javascript": "js",
    "typescript": "ts",
    "yaml": "yaml",
    "shell": "sh",
    "bash": "sh",
    "logs": "log",
    "log": "log",
    "backup": "bak",
    "temporary": "tmp",
    "temp": "tmp",
}
"""Names of formats that differ from their extension."""

EXTENSIONS: Final = split_words(
    """
    png jpg jpeg gif webp tif tiff bmp ico ppm svg mp4 mkv webm mov avi m4v mpg mpeg flv wmv ogv mp3 wav flac ogg
    opus m4a aac wma aiff md markdown rst htm html tex org docx odt epub ipynb txt adoc textile csv pdf py pyi js
    jsx mjs ts tsx sh bash yaml yml json toml xml css sql log bak tmp tar gz tgz bz2 xz zst zip rs go c h java rb
    ini cfg conf pptx rtf
    """
)

KINDS: Final[Mapping[str, frozenset[str]]] = {
    "python": frozenset({"py", "pyi"}),
    "javascript": frozenset({"js", "jsx", "mjs", "cjs"}),
    "typescript": frozenset({"ts", "tsx", "mts", "cts"}),
    "markdown": frozenset({"md", "markdown"}),
    "yaml": frozenset({"yaml", "yml"}),
    "script": frozenset({"sh", "bash", "ksh", "dash"}),
    "shell": frozenset({"sh", "bash", "ksh", "dash"}),
    "picture": frozenset({"png", "jpg", "jpeg", "gif", "webp", "tif", "tiff", "bmp", "ico", "ppm", "svg"}),
    "image": frozenset({"png", "jpg", "jpeg", "gif", "webp", "tif", "tiff", "bmp", "ico", "ppm", "svg"}),
    "photo": frozenset({"png", "jpg", "jpeg", "gif", "webp", "tif", "tiff", "bmp"}),
    "photograph": frozenset({"png", "jpg", "jpeg", "gif", "webp", "tif", "tiff", "bmp"}),
    "screenshot": frozenset({"png", "jpg", "jpeg", "webp", "bmp"}),
    "logo": frozenset({"png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "ico"}),
    "video": frozenset({"mp4", "mkv", "webm", "mov", "avi", "m4v", "mpg", "mpeg", "flv", "wmv", "ogv"}),
    "movie": frozenset({"mp4", "mkv", "webm", "mov", "avi", "m4v", "mpg", "mpeg", "flv", "wmv", "ogv"}),
    "clip": frozenset({"mp4", "mkv", "webm", "mov", "avi", "m4v", "mpg", "mpeg", "flv", "wmv", "ogv"}),
    "recording": frozenset({"mp4", "mkv", "webm", "mov", "mp3", "wav", "flac", "ogg", "opus", "m4a"}),
    "song": frozenset({"mp3", "wav", "flac", "ogg", "opus", "m4a", "aac", "wma", "aiff"}),
    "audio": frozenset({"mp3", "wav", "flac", "ogg", "opus", "m4a", "aac", "wma", "aiff"}),
    "document": frozenset({"md", "markdown", "rst", "html", "htm", "tex", "org", "docx", "odt", "epub", "pdf", "txt"}),
    "archive": frozenset({"tar", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst", "tzst", "zip"}),
    "tarball": frozenset({"tar", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst", "tzst"}),
    "notebook": frozenset({"ipynb"}),
    "spreadsheet": frozenset({"csv", "xlsx", "ods"}),
}
"""Names of kinds of files, and their extensions."""

DEVICES: Final = split_words(
    """
    clipboard pasteboard printer trash bin recycle cloud server email mail usb stick phone screen console terminal
    stdout stderr internet web slack teams discord s3 github gitlab dropbox drive friend boss team
    """
)
"""What a request may send things to that is no file: a new file has such a name only if the request says so."""

DANGEROUS: Final = split_words(
    """
    or except but not no never don't dont without unless only if instead excluding older newer larger smaller bigger
    than empty last first latest oldest hidden containing starting ending before after until since today yesterday
    """
)
"""Words that narrow or turn what is asked for: a description that happens to have them doesn't account for them."""
