"""The LLM side: open questions out, answers that cite in. Facts decide everything that they can."""
