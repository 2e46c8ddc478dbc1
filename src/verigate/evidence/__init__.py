"""The artifacts folder: staging, validation, sealed index, publication, locks."""
