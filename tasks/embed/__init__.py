"""From functions, blocks and rows to vectors, and the index that searches them."""
