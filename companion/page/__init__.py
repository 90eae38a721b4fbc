"""The page: one table live in a browser. `server` runs it, `table` is the seam that the live loop fulfils."""
