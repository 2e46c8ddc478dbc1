"""The artifacts folder: staging, validation, the sealed index, publication, locks."""
