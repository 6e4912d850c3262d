"""The report as one HTML file: figures, every problem, and what made it."""
