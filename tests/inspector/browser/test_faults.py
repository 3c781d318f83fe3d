"""The four faults of colony are found by the steps of docs/inspector.md."""
from page_case import PageCase, label


class Faults(PageCase):
    def colony(self, place):
        return self.begin(place, program="colony")

    def test_the_system_that_writes_nan_is_found(self):
        self.colony("game/entities?q=Position where x = 0 %26 y = 0")
        self.await_that(lambda: self.total() >= 1, "a settler in the corner")
        self.select(self.rows()[0])
        self.click(label("Watch Velocity"))
        self.click(label("Watch Position"))
        self.click("#tab-journal")
        self.await_that(lambda: "NaN" in self.text(".watches"), "NaN in a watch", 30)
        rows = self.script("return [...document.querySelectorAll('.watch .records tr')].map(row => row.innerText)")
        nan = [row for row in rows if "→ NaN" in row]
        self.assertTrue(any("Steer" in row and "written" in row for row in nan), nan)

    def test_the_collector_that_nothing_drains_is_marked(self):
        self.colony("game/collectors")
        self.await_text("hit sounds")
        self.await_that(lambda: "not drained" in self.text("main"), "a mark", 30)

    def test_the_group_that_excludes_a_settler_says_why(self):
        self.colony("game/entities?q=Health where points = 100")
        self.query('Name where value = "settler 7"')
        self.await_that(lambda: self.total() == 1, "the settler")
        self.select(self.rows()[0])
        self.await_text("victims ✗", "#groups")
        self.script("[...document.querySelectorAll('#groups .chip')].find(chip => chip.innerText.startsWith('victims')).click()")
        self.await_text("No: it has Sheltered, which victims excludes", "#groups")
        self.assertEqual([chip.text for chip in self.all("#groups .rules .chip.bad")], ["has Sheltered"])
        self.assertIn("has Health", self.text("#groups .rules"))

    def test_the_system_that_stutters_is_found(self):
        self.colony("game/systems")
        self.await_text("Plan")
        self.await_that(lambda: self.text("tr[data-system=Plan] .over") != "", "a time over 2 ms", 30)
        self.assertEqual(self.all("tr[data-system=Steer] .over"), [])
        self.await_that(lambda: len(self.all(".updates rect")) > 140, "updates of which one is slow", 30)
        self.click("#slowest")
        self.await_that(lambda: float(self.text("#update").split()[-2]) > 15, "the slow update")
        self.assertIn("Plan", self.script("return document.querySelector('.timeline').textContent"))
        slowest = self.text("#update")
        self.await_that(lambda: not self.all(".updates .chosen"), "an update that the game keeps no longer", 60)
        self.assertEqual(self.text("#update"), slowest)
        self.click("#latest")
        self.await_that(lambda: self.text("#update") != slowest, "the latest update")
