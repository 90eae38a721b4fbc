"""A simulated table of Finity: pieces, hands, players, breaches of the rules, and what a camera sees of them."""
