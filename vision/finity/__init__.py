"""Pictures of Finity read: rings, posts, bridges and blockers."""
