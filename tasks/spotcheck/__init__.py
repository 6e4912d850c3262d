"""Stage `spotcheck`: some recorded prompts made afresh, to prove that record and model agree."""
