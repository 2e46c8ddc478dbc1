"""The engine ``gemini-api``: Google's Gemini API and Vertex AI, by the google-genai library."""
