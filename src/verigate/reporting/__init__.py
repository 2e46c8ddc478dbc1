"""From a verdict to text. Pure: verdict in, string out."""
