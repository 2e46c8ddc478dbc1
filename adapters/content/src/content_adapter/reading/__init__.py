"""Convert files of all supported formats to HTML, each with a processor of its format."""
