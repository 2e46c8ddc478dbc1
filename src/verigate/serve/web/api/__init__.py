"""The HTTP API: the values of the pages for programs, described by OpenAPI from their types."""
