"""Tests of the simulated table: that it is what it says, and that each of its faults really happens."""
