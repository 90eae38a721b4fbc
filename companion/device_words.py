"""What devices say of themselves, able to be said in other languages.

`firmware_bridge` and `vision` know no catalogues: they say English sentences. Here stands which, with places for what
differs; what is not among them (an operating system's own words) stays as it is. `calibration_words` has those of
`calibration`.
"""

from __future__ import annotations

import re
from functools import cache

from companion.texts import Said, Text, noted

SENTENCES = (
    # the camera
    noted("pictures come"),
    noted("nothing new for {seconds} s"),
    noted("no new picture for {seconds} s"),
    noted("camera {camera} gives no picture; is it unplugged?"),
    noted("camera {camera}: there is no such device; plug it in or look for it in /dev/v4l/by-id"),
    noted("camera {camera} cannot be opened; is another program using it?"),
    noted("camera {camera} cannot be read: {error}"),
    noted("camera {camera} gives {given} pixels though {wanted} were asked for: choose a size that it has"),
    noted("none of the board's markers is in the picture"),
    noted("the picture is black: is the lens covered or the light off?"),
    noted("the picture is white: does a lamp shine into the lens?"),
    noted("the picture's channel order is wrong: red and blue are exchanged"),
    noted("the picture has no colour: is the camera in night mode, or set to black and white?"),
    # the board's serial port
    noted("there is no port {port}: is the board plugged in? `companion doctor` shows all ports"),
    noted("the port {port} hung up: plug the board in again"),
    noted(
        "{port} is in use by another program (a second Companion, a serial monitor, ModemManager?): close that one "
        "first; `companion doctor` names it"
    ),
    noted("{port} may not be opened by this user: run 'sudo usermod -aG dialout $USER' and log in again"),
    noted("{port} went away while it was opened: is the cable loose?"),
    noted("{port} is no serial port: check the port in the config"),
    noted("{port} cannot be opened: {error}"),
    noted("nothing was heard for {seconds} s: press the board's reset button, or plug it in again"),
    noted("bytes come, but none that this program understands: is it the board's port, with its firmware?"),
    noted("the board has started anew: confirm where the knob stands"),
    noted("the board takes no commands, though it reports: plug it in again"),
    noted("the board speaks protocol {theirs}, this program {ours}: update the program"),
    noted("the board speaks protocol {theirs}, this program {ours}: update the board firmware"),
    # pins
    noted("the pins cannot be read: {error}"),
    noted("the knob may have been turned meanwhile: confirm where it stands"),
    noted("{pin} ({task}) cannot be used: {error}"),
    noted("{pin} ({task}) is in use already by {program}: is Companion or another program running? Stop it first"),
    noted("{pin} ({task}) is in use already: is Companion or another program running? Stop it first"),
    noted("{pin} ({task}) is in use already by {program}: switch {bus} off with raspi-config, or wire another pin"),
    noted("{pin} ({task}) is in use already: switch {bus} off with raspi-config, or wire another pin"),
    noted(
        "no GPIO pins can be used here ({error}). On a Raspberry Pi install lgpio and join the gpio group; elsewhere "
        "take the pins out of the config"
    ),
)

_PLACE = re.compile(r"\\\{(\w+)\\\}")


def device_words(said: str) -> str:
    """A device's sentence as a text, where it is a known one."""
    return matched(said, SENTENCES)


def matched(said: str, sentences: tuple[str, ...]) -> str:
    """The first of some sentences that this is, as a text; so are values in it that are sentences of these."""
    for pattern, message in _patterns(sentences):
        found = pattern.fullmatch(said)
        if found is not None:
            return Text(said, Said(message, {key: matched(v, sentences) for key, v in found.groupdict().items()}))
    return said


@cache
def _patterns(sentences: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(_PLACE.sub(r"(?P<\1>.+?)", re.escape(message))), message) for message in sentences)
