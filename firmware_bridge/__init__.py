"""Bytes and pins read into what happened at the board: the knob's stop, marbles in and out of channels."""
