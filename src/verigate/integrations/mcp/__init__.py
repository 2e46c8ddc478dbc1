"""The gate as tools of an agent's host, by the Model Context Protocol (https://modelcontextprotocol.io)."""
