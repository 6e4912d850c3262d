"""Stage `generate`: a solver turns problems into candidates, contexts and a trace."""
