"""Reading and writing JSON, TOML, patches and media types strictly. No I/O, and no values of the gate."""
