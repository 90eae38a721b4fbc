"""The simulated camera of Finity."""
