"""Selection: of the candidates of each problem, the one that counts. Answers are out of reach."""
