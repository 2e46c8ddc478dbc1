"""Ask a language model about statements that no fact decides, and read its answers with their citations."""
