"""The built-in content adapter: extract facts from texts as a reader sees them, without judging them."""
