"""The report: what each condition and selector reached, with paired statistics."""
