"""What remains of a game: its story, pages and a picture of it, a file to send to friends."""
