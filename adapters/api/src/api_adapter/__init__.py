"""The built-in API adapter: call a service and write facts about its responses, without judging them."""
