"""Strict parsers and editors for JSON, TOML, patches and media types. No I/O, and no values of the gate."""
