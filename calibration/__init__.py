"""Boards as named places in space, and where a camera sees them."""
