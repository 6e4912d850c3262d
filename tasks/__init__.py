"""The work of CodeGraft: one package per DVC stage, plus the libraries that the stages share."""
