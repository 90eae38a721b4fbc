"""The record of all games at a table, kept so that a kill or a power cut at any moment loses nothing."""
