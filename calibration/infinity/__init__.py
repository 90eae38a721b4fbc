"""Rubik's Infinity before a camera: its board, how marbles, seats and knob look, and how that is learnt."""
