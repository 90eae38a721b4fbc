"""Fixtures with which any test run can have a simulated table."""
