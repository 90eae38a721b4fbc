"""A person's way through the set-up: what is pressed, and what must be seen then. With a mouse, or with keys alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

PATTERN = "bwbbwbww"
NAMES = {"infinity": "Rubik's Infinity", "finity": "Finity"}
LEARNT_MS = 90_000
"""For calibrating on a machine that does much else; alone it takes seconds."""

Seen = Callable[[str], object]


@dataclass(frozen=True)
class Walk:
    """One way through the set-up of a game with a mouse.

    Attributes:
        seen: called with a word whenever there is something to look at.
    """

    page: Page
    game: str
    seen: Seen = lambda word: None

    def press(self, target: Locator) -> None:
        target.click()

    def choose(self, radio: Locator) -> None:
        radio.click()
        expect(radio).to_be_checked()

    def pick(self, select: Locator, words: str) -> None:
        select.select_option(label=words)

    def write(self, field: Locator, words: str) -> None:
        field.fill(words)
        field.press("Tab")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def whole(self) -> None:
        """From the first step to the game's page."""
        self.choose_game()
        self.choose_camera()
        self.lay_the_mat()
        self.take_pictures()
        self.learn()
        self.say_who_plays()
        self.look_at_rules()
        self.begin()

    def live(self, within: Locator) -> None:
        """A live picture is there; pictures that nobody could see are not fetched."""
        picture = within.locator(".setup-picture")
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_attribute("data-state", "live")

    def arrived(self, title: str) -> None:
        expect(self.page.locator("#step-title")).to_have_text(title)

    def on(self, title: str) -> None:
        """Go on: the step before must be done, so that the way on is the strong button."""
        expect(self.page.locator("#missing")).to_be_hidden()
        expect(self.page.locator(".setup-on.primary")).to_have_text(f"Next: {title}")
        self.press(self.page.locator(".setup-on"))
        self.arrived(title)
        expect(self.page.locator("#step-title")).to_be_focused()

    def choose_game(self) -> None:
        # The first step that is not done is shown, and a game may be chosen already.
        self.press(self.page.locator("[data-step=game]"))
        self.arrived("Game")
        self.choose(self.page.get_by_role("radio", name=re.compile(f"^{NAMES[self.game]}")))
        if self.game == "finity":
            expect(self.page.get_by_role("radio", name="2 players")).to_be_checked()
        self.seen("game")
        self.on("Camera")

    def choose_camera(self) -> None:
        self.choose(self.page.locator("input[name=camera]").first)
        self.live(self.page.locator("#panel"))
        expect(self.page.locator("#missing")).to_be_hidden()
        if self.game == "infinity":
            self.choose_sensors()
        self.seen("camera")
        self.on("Mat")

    def choose_sensors(self) -> None:
        self.press(self.page.locator("summary").filter(has_text=re.compile("^Sensors$")))
        self.pick(self.page.get_by_label("Sensor board on USB"), "the simulated board")
        expect(self.page.get_by_text("The board's sensors are heard.")).to_be_visible()

    def lay_the_mat(self) -> None:
        expect(self.page.locator(".setup-seen .seen")).to_have_count(4)
        expect(self.page.get_by_text("Good: the camera sees all that it needs.")).to_be_visible()
        self.live(self.page.locator("#panel"))
        self.seen("mat")
        self.on("Pictures")

    def take_pictures(self) -> None:
        shots = self.page.locator(".setup-shot")
        expect(shots.first).to_be_visible()
        for number in range(shots.count()):
            self.take_picture(shots.nth(number), number)

    def take_picture(self, shot: Locator, number: int) -> None:
        expect(shot).to_have_class(re.compile("active"))
        self.live(shot)
        if number == 1:
            self.seen("lay")
        self.press(shot.get_by_role("button", name="Take the picture"))
        expect(shot).to_have_class(re.compile("taken"))
        expect(shot.get_by_role("heading")).to_be_focused()
        if number == 1:
            self.seen("check")
        self.press(shot.get_by_role("button", name="This is right"))
        expect(shot).not_to_have_class(re.compile("active"))

    def learn(self) -> None:
        self.press(self.page.locator(".setup-learning button"))
        good = "Good: the camera knows the board and all pieces."
        expect(self.page.locator(".setup-result")).to_contain_text(good, timeout=LEARNT_MS)
        self.live(self.page.locator(".setup-learning"))
        self.seen("learnt")
        self.on("Players")

    def say_who_plays(self) -> None:
        names = self.page.get_by_role("textbox", name=re.compile("^Name of"))
        for index, name in enumerate(("Anna", "Józef")):
            self.write(names.nth(index), name)
        if self.game == "finity":
            self.build_the_tower()
        else:
            self.turn_the_knob()
        self.seen("players")
        self.on("House rules")

    def turn_the_knob(self) -> None:
        self.choose(self.page.get_by_role("radio", name="Counter-clockwise"))
        self.press(self.button("Show it by turning"))
        expect(self.page.get_by_text("Seen: Clockwise.")).to_be_visible()
        expect(self.page.get_by_role("radio", name="Clockwise", exact=True)).to_be_checked()

    def build_the_tower(self) -> None:
        while self.button("Take the top one away").is_enabled():
            self.press(self.button("Take the top one away"))
        for cone in PATTERN:
            self.press(self.button("Black" if cone == "b" else "White"))
        expect(self.page.get_by_text("The tower is whole.")).to_be_visible()

    def look_at_rules(self) -> None:
        expect(self.page.locator(".setup-rule").first).to_be_visible()
        self.seen("rules")
        self.on("Ready")

    def begin(self) -> None:
        expect(self.page.locator(".setup-summary")).to_contain_text("Anna")
        expect(self.button("Begin")).to_be_enabled()
        self.seen("ready")
        self.press(self.button("Begin"))
        self.page.wait_for_url(re.compile(r"://[^/]+/(\?.*)?$"), wait_until="domcontentloaded", timeout=LEARNT_MS)


MOST_TABS = 150
"""More than any step has to stop at."""


class KeyWalk(Walk):
    """The same way with keys alone."""

    def reach(self, target: Locator) -> None:
        """Press Tab until the target has the focus, and the focus is to be seen."""
        expect(target).to_be_enabled()
        for _ in range(MOST_TABS):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {target}")

    def press(self, target: Locator) -> None:
        self.reach(target)
        self.page.keyboard.press("Enter")

    def choose(self, radio: Locator) -> None:
        """A group of choices is one stop of the Tab key; arrows go from one to the next, and choose it."""
        expect(radio).to_be_enabled()
        group = radio.locator("xpath=ancestor::fieldset")
        for _ in range(MOST_TABS):
            if group.evaluate("group => group.contains(document.activeElement)"):
                break
            self.page.keyboard.press("Tab")
        for _ in range(group.get_by_role("radio").count()):
            if radio.evaluate("radio => radio === document.activeElement"):
                break
            self.page.keyboard.press("ArrowDown")
        if not radio.is_checked():
            self.page.keyboard.press("Space")
        expect(radio).to_be_checked()

    def pick(self, select: Locator, words: str) -> None:
        self.reach(select)
        for _ in range(select.locator("option").count()):  # letters that come slowly would each begin anew
            if select.locator("option:checked", has_text=words).count():
                break
            self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Tab")

    def write(self, field: Locator, words: str) -> None:
        self.reach(field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(words)
        self.page.keyboard.press("Tab")
