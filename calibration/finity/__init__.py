"""Finity before a camera: its board, how tiles, rings, bridges, posts and blockers look, and how that is learnt."""
