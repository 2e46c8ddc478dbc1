"""A folder with nothing but the plug-in, which becomes importable where the project's tests run."""
