"""The documentation as a site: the pages of the repository, the generated reference, and what checks the result.

``bin/site build`` writes it to ``dist/site``. Pages are staged in a folder first, with their links as the site has
them, so that no plugin and no hook of the builder is needed (docs/decisions/0090).
"""
