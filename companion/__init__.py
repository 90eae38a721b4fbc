"""A referee for physical board games: sensors report, the reconciler believes, the referee judges, events are told."""

__version__ = "0.1.0"
