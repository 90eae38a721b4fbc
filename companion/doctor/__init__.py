"""What is well at a table and what is not: facts are gathered by thin probes, and judged by pure functions."""
