"""All reports on one page: benchmarks and models by conditions."""
