"""From manifest.json files on the search path to a registry of who provides what."""
