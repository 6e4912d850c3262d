"""What every stage shares: parameters, tables, identities, the store, progress and errors."""
