"""Group 6: pause, steps and disabled systems, seen in the frames that the game counts itself."""
import time

from page_case import PageCase, label


class Time(PageCase):
    def still(self, game):
        """Waits until the game counts no frames, and returns the last one."""
        def stands():
            before = game.frame
            time.sleep(0.3)
            return game.frame == before and before
        return self.await_that(stands, "a game that stands")

    def test_ins_60_pause_and_step(self):
        game = self.begin()
        self.await_that(lambda: game.frame > 10, "frames")
        self.click("#pause")
        self.await_text("paused", "#state")
        frame = self.still(game)
        self.click("#step")
        self.await_that(lambda: game.frame == frame + 1, "one frame")
        self.script("document.activeElement.blur()")
        self.keys(".")
        self.await_that(lambda: game.frame == frame + 2, "one more")
        self.keys(".")
        self.await_that(lambda: game.frame == frame + 3, "the third one")
        self.assertEqual(self.still(game), frame + 3)
        time.sleep(10.5)  # a pause ends after ten seconds without requests: the page goes on asking
        self.assertEqual(game.frame, frame + 3)
        self.keys(" ")
        self.await_that(lambda: game.frame > frame + 20, "the game goes on")
        self.await_text("live", "#state")

    def test_ins_60_the_game_goes_on_when_the_page_leaves(self):
        game = self.begin()
        self.click("#pause")
        self.await_text("paused", "#state")
        frame = self.still(game)
        self.browser.get("about:blank")
        self.await_that(lambda: game.frame > frame + 20, "the game goes on")

    def test_a_disabled_system_does_not_run(self):
        self.begin("game/systems")
        self.await_text("Move")
        self.click(label("Enabled: Move"))
        self.one("tr.disabled[data-system=Move]")
        self.browser.get(self.browser.current_url.split("#")[0] + "#/game/entities?e=6:5")
        self.one(".panel .component")
        before = self.value("Position.at.y")
        time.sleep(0.7)
        self.assertEqual(self.value("Position.at.y"), before)
        self.keys("u")
        self.await_that(lambda: self.value("Position.at.y") != before, "it moves again")

    def test_ins_60_speed(self):
        if not self.begin() or not self.one("#pause") or not self.all(label("Speed")):
            self.skipTest("this inspector has no time.speed")
        self.choose(label("Speed"), "0.5")
        self.await_that(lambda: self.value("Speed") == "0.5", "half the speed")
