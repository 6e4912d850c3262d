"""From documents to the programming knowledge graph (SPEC 1.1)."""
