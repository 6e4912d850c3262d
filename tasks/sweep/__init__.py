"""Sweeps: many points in parameter space, one DVC experiment each, and a report of them."""
