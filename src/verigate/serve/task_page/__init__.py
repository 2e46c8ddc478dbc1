"""The page of one task: what was said, with facts; checks; the four cells; artifacts; runs; the verifier."""
