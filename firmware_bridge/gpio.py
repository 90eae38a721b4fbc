"""Pins of the computer itself: which pin is what, levels into readings, and a board of live pins."""

from firmware_bridge.pin_board import PinBoard
from firmware_bridge.pin_decoder import PinDecoder, PinTiming
from firmware_bridge.pin_factory import open_pin_factory
from firmware_bridge.wiring import Wiring

__all__ = ["PinBoard", "PinDecoder", "PinTiming", "Wiring", "open_pin_factory"]
