"""Engines of kind ``http``: any server that speaks the OpenAI-compatible chat API, as llama.cpp, vLLM and Ollama do."""
