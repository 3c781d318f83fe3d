"""Time travel: snapshots, their differences, running until a query holds; saved queries, and plots."""
import os
import time

from page_case import PICTURES, Keys, PageCase, label
from test_views import CONTRAST


class Travel(PageCase):
    def chosen(self):
        return int("".join(letter for letter in self.text("#chosen") if letter.isdigit()) or -1)

    def picture(self, name):
        self.browser.save_screenshot(os.path.join(PICTURES, f"view_travel_{name}.png"))

    def test_ins_10_the_game_returns_to_a_snapshot_and_goes_on_from_it(self):
        game = self.begin("game/entities?time=1&e=6:5")
        self.await_text("No snapshot yet")
        self.click("#take")
        self.one("#snapshot")
        frame = self.chosen()
        self.await_that(lambda: game.frame > frame + 60, "a second")
        late = float(self.value("Position.at.y"))
        self.click("#return")
        self.await_text("paused", "#state")
        self.await_that(lambda: game.frame == frame, "the frame of the snapshot")
        self.await_that(lambda: float(self.value("Position.at.y")) < late - 0.5, "the value of then")
        self.await_text("of 2", ".travel")  # the state before is kept
        self.assertEqual(self.chosen(), frame)
        self.picture("returned")
        self.script("document.activeElement.blur()")
        self.keys("u")
        self.await_that(lambda: game.frame > frame + 60, "what was before")
        self.assertIn("paused", self.text("#state"))
        self.click("#fork")
        self.await_text("live", "#state")
        self.await_that(lambda: frame < game.frame < frame + 50, "the game goes on from it")

    def test_ins_10_a_slider_over_the_last_snapshots_by_keyboard(self):
        self.begin("game/systems")
        self.await_text("Strike")
        self.keys("t")
        self.one("#keep")
        self.script("document.querySelector('#keep').focus()")
        self.keys(Keys.ENTER)
        self.await_that(lambda: "Stop" in self.text("#keep"), "it keeps them")
        self.await_that(lambda: int(self.one("#snapshot").get_attribute("max")) >= 6, "some snapshots")
        self.script("document.querySelector('#keep').focus()")
        self.keys(Keys.ENTER)
        self.await_that(lambda: "Keep" in self.text("#keep"), "it has ended")
        self.script("document.querySelector('#snapshot').focus()")
        newest = self.chosen()
        self.keys(Keys.ARROW_LEFT)
        self.await_that(lambda: self.chosen() == newest - 10, "the one before")
        self.keys(Keys.HOME)
        self.await_that(lambda: self.script("return document.querySelector('#snapshot').value") == "0", "the first one")
        self.assertIn("1 of", self.one("#snapshot").get_attribute("aria-valuetext"))
        self.picture("slider")
        self.script("document.activeElement.blur()")
        self.keys("t")
        self.await_that(lambda: not self.all(".strip"), "no strip")

    def test_ins_10_snapshots_are_compared(self):
        game = self.begin("game/entities?time=1")
        self.click("#take")
        self.one("#compare")
        self.await_that(lambda: game.frame > 30, "some frames")
        self.click("#compare")
        self.await_text("changes", ".difference")
        self.await_text("Position", label("Differences of snapshots"))
        self.await_text("→", label("Differences of snapshots"))
        self.assertIn("to now", self.text(".difference"))
        self.assertNotIn("Kit", self.text(".difference"))  # INS-29: only a hidden field of it changes
        self.assertEqual(self.script(CONTRAST), [])
        self.picture("difference")
        self.click("#take")
        self.await_text("2 of 2", ".travel")
        first = self.script("return document.querySelector(arguments[0]).options[1].value", label("Compare with"))
        self.choose(label("Compare with"), first)
        self.click("#compare")
        self.await_that(lambda: "to now" not in self.text(".difference"), "two snapshots")
        self.click(label("Close the differences"))
        self.click("#forget")
        self.await_text("No snapshot yet")

    def test_ins_72_a_game_without_a_world_says_which_line_to_add(self):
        os.environ["KIN_PAGE_BARE"] = "1"
        try:
            self.begin("game/entities?time=1")
        finally:
            del os.environ["KIN_PAGE_BARE"]
        self.await_text("options.snapshots =", ".strip pre")
        self.picture("no_world")

    def test_ins_72_a_read_only_inspector_says_so(self):
        self.begin("game/entities?time=1", inspect="read")
        self.await_text("read-only", ".strip")

    def test_ins_62_the_game_runs_until_a_query_holds(self):
        game = self.begin("game/entities?time=1")
        self.await_that(self.rows, "rows")
        self.type_into(label("Query to run until"), "Healt where points < 1", Keys.ENTER)
        self.await_text("game has no component 'Healt'", ".notice")
        self.type_into(label("Query to run until"), "Score where value > 300", Keys.ENTER)
        self.await_text("asked", "#until-state")
        self.await_text("paused", "#state")
        self.await_text("met", "#until-state")
        frame = game.frame
        self.picture("until")
        self.choose(label("Until"), "none")
        self.type_into(label("Query to run until"), "Score where value < 420", Keys.ENTER)
        self.await_that(lambda: game.frame > frame + 20, "it goes on")
        self.await_text("paused", "#state")
        self.click("#pause")
        self.await_text("live", "#state")

    def test_the_strip_fits_360_pixels(self):
        self.begin()
        self.await_that(self.rows, "rows")
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})
        self.click("#travel")
        self.click("#take")
        self.one("#snapshot")
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 360)
        self.assertEqual(self.script(CONTRAST), [])
        self.picture("360")


class SavedQueries(PageCase):
    def await_name(self):
        """Keys go to the name of the query."""
        focused = "return document.activeElement.getAttribute('aria-label')"
        self.await_that(lambda: self.script(focused) == "Name of the query", "the focus")

    def test_ins_73_queries_are_saved_in_the_address(self):
        self.begin()
        self.await_that(self.rows, "rows")
        self.query("Frozen")
        self.await_that(lambda: 0 < self.total() < 500, "fewer rows")
        self.click("#star")
        self.await_name()
        self.keys(Keys.ENTER)
        self.await_text("frozen", ".saved")
        self.assertEqual(self.one("#star").text, "★")
        self.query("Health where points < 60")
        self.await_that(lambda: self.one("#star").text == "☆", "a query that is not saved")
        self.click("#star")
        self.await_name()
        self.keys(Keys.CONTROL, "a")
        self.keys("hurt", Keys.ENTER)
        self.await_text("hurt", ".saved")
        self.browser.save_screenshot(os.path.join(PICTURES, "view_saved.png"))
        self.browser.refresh()
        self.await_text("hurt", ".saved")
        self.click(".saved .chip")
        self.await_that(lambda: self.one("#query").get_attribute("value") == "Frozen", "the saved query")
        self.click("#star")
        self.await_that(lambda: "frozen" not in self.text(".saved"), "forgotten")
        kept = self.script("return [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort()")
        self.assertTrue(set(kept) <= {"kin-token", "kin-viewer", "kin-theme"}, kept)


class Plots(PageCase):
    def test_plots_share_a_cursor_and_are_saved_as_csv(self):
        self.begin("game/plots")
        self.type_into(label("A value or a query"), "Frozen", Keys.ENTER)
        self.await_text("count of Frozen")
        self.type_into(label("A value or a query"), "6:5 Position.at.y", Keys.ENTER)
        self.await_text("Position.at.y of 6:5")
        self.await_that(lambda: len(self.all(".plot canvas")) == 2, "two charts")
        time.sleep(2)
        self.script("""
            const over = document.querySelector('.plot .u-over'), box = over.getBoundingClientRect();
            const at = {clientX: box.left + box.width * 0.8, clientY: box.top + 20, bubbles: true};
            over.dispatchEvent(new MouseEvent('mouseenter', at));
            over.dispatchEvent(new MouseEvent('mousemove', at));""")
        self.await_that(lambda: all(text.strip() not in ("", "--") for text in self.script(
            "return [...document.querySelectorAll('.plot .u-series .u-value')].map(e => e.textContent)")),
            "a value at the cursor in both charts")
        self.browser.save_screenshot(os.path.join(PICTURES, "view_plots_cursor.png"))
        self.script("const make = URL.createObjectURL; URL.createObjectURL = blob => (blob.text().then(t => window.csv = t), make(blob))")
        self.click("#plots-csv")
        text = self.await_that(lambda: self.script("return window.csv"), "a file")
        lines = text.splitlines()
        self.assertEqual(lines[0], '"seconds","frame","count of Frozen","Position.at.y of 6:5"')
        self.assertGreater(len(lines), 5)
        self.assertEqual(len(lines[-1].split(",")), 4)
        self.assertEqual(self.script(CONTRAST), [])
        self.click("[aria-label='Dark or light']")
        time.sleep(0.5)
        self.browser.save_screenshot(os.path.join(PICTURES, "view_plots_dark.png"))
        self.browser.get(self.browser.current_url)
        self.script("localStorage.removeItem('kin-theme')")
