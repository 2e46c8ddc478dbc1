"""The pages over HTTP: who may read and change, templates, and one function for each page."""
