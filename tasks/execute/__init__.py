"""What executing a candidate shows without any benchmark test: it parses, names, loads."""
