"""Pictures of Rubik's Infinity read: slots, well and knob."""
