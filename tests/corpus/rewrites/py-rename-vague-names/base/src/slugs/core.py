import re
import unicodedata

_NOT_WORD = re.compile(r"[^a-z0-9]+")


def slugify(title, separator="-", max_length=None):
    """Return a lower-case ASCII slug of the title."""
    ascii_text = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    slug = _NOT_WORD.sub(separator, ascii_text.lower()).strip(separator)
    if max_length is not None and len(slug) > max_length:
        slug = slug[:max_length].rstrip(separator)
    return slug
