"""What `calibration` says while it learns a board, refuses it or doubts, able to be said in other languages."""

from __future__ import annotations

from companion.device_words import matched
from companion.texts import noted

SENTENCES = (
    # what is done
    noted("looking for markers, fitting lens and pose"),
    noted("fitting the tiles"),
    noted("learning colours"),
    noted("learning the knob"),
    noted("learning the pieces"),
    noted("reading the pictures back"),
    # markers and pictures
    noted("marker {missing} is not seen: uncover the markers, and see that the board is in the picture"),
    noted(
        "the markers lie {px} px from where they should: the camera's zoom, its focus or the board was "
        "changed; calibrate anew"
    ),
    noted(
        "the markers lie {px} px from where the board description has them: check the measures in the board "
        "file, and that the markers are stuck on upright and in order"
    ),
    noted("{picture}: only {seen} of {all} markers were found"),
    noted("the markers are {px} px off on average: measure the board again or refocus"),
    noted("{picture} is {given} pixels and {first} is {wanted}: take all pictures with the same camera settings"),
    noted(
        "{picture}: none of the board's {all} markers was found: the whole board must be in the picture, sharp and lit"
    ),
    noted("{picture}: only {seen} of the board's {all} markers was found: take away what covers the others"),
    noted("{picture}: its light cannot be compared with the empty picture's: lock exposure and white balance"),
    noted("the picture is {given} pixels and the calibration is for {wanted}"),
    noted(
        "the light is too far from what it was, or the patches are covered: bring light to the board, or calibrate anew"
    ),
    noted(
        "the light is too far from what it was, or the grey patches are covered: bring light to the board, or"
        " calibrate anew"
    ),
    noted("the channel order of the pictures is wrong: blue marbles look red; save them as RGB pictures, not BGR"),
    # pieces and places
    noted(
        "{one} and {other} look too much alike (margin {margin}, at least {least} is needed): give the board "
        "more or softer light, lock the exposure brighter, or choose other pieces"
    ),
    noted(
        "{one} and {other} look too much alike (margin {margin}, at least {least} is needed): give the board "
        "more or softer light, or lock the exposure brighter"
    ),
    noted("{one} and {other} look much alike (margin {margin}): they will be unsure more often"),
    noted(
        "no piece of player {player} is in sight in the reference pictures: take one that shows rings, posts "
        "and blockers of everybody"
    ),
    noted(
        "no ring of player {player} is in sight in the reference pictures: rings of {player_again} will be "
        "unsure more often, add a picture with some"
    ),
    noted("{place} is not as its state says, it looks {look}: check the state"),
    noted("no reference shows a {colour} bridge: how bright they are is guessed"),
    noted("the tile {tile} could not be measured: it is taken to lie as the others do"),
    noted("the knob's pointer was not found where the states say it stands: the knob will be unsure"),
    noted("no {kind} marble stands in a slot of any reference: add a reference picture with one"),
    noted("{picture}: a {kind} marble lies in {places}: take the empty picture with empty channels"),
    noted(
        "{picture}: {unsure} of {asked} places cannot be read with what was learnt: does the empty picture "
        "show the bare board, with nothing on it that is not always there? Take it again without hands"
    ),
    noted(
        "{picture} does not look like its state: {places}; correct the state, and see that the empty picture "
        "shows the bare board and that all pictures are of one camera in one place"
    ),
    noted("{picture} does not look like its state at {places}"),
    noted("{place} (says {due}, looks like {seen})"),
    noted("an empty seat"),
    noted("the pieces of {player}"),
    noted("a piece of {player}"),
    noted("empty"),
)


def calibration_words(said: str) -> str:
    """A sentence of `calibration` as a text, where it is a known one."""
    return matched(said, SENTENCES)
