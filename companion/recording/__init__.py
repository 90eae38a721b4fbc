"""Recordings: folders of what devices gave, that can be played again at any speed and sent with a report."""

from companion.recording.player import Played, RecordingPlayer, play_recording
from companion.recording.reader import Recording, open_recording
from companion.recording.writer import RecordingWriter

__all__ = ["Played", "Recording", "RecordingPlayer", "RecordingWriter", "open_recording", "play_recording"]
