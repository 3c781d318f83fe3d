"""The examples in the page: Match-One, solar with its tree, flock on two threads, and arena, which has no world."""
from page_case import PageCase


class Examples(PageCase):
    def shows_a_piece(self):
        self.click(f"tr[data-entity='{self.rows()[5]}']")
        return "Position" in self.text(".panel")

    def test_match_one_is_shown(self):
        self.begin(program="match_one")
        self.await_that(self.rows, "rows")
        self.query("Piece")
        self.await_that(lambda: self.total() > 10, "pieces")
        self.click("#pause")  # it plays itself: pieces go
        self.await_text("paused", "#state")
        self.await_that(self.shows_a_piece, "a piece that is still there")
        self.choose("select.world", "state")
        self.await_text("Score", ".overview")

    def test_solar_shows_its_tree(self):
        self.begin(program="solar")
        self.query('Name where text = "Moon"')
        self.await_that(lambda: self.total() == 1, "the moon")
        self.select(self.rows()[0])
        self.await_that(lambda: self.text(".parents").count("›") == 2, "below the earth, below the sun")
        self.await_text("satellites", ".holders")
        self.click(".parents a:last-of-type")
        self.await_that(lambda: self.value("Name.text") == "Earth", "the earth")

    def test_flock_shows_its_parallel_systems(self):
        self.begin("sky/systems", program="flock")
        self.await_text("Steer")
        self.await_that(lambda: len(self.all(".timeline .call")) >= 1, "calls")

    def test_arena_is_shown_without_a_world(self):
        self.begin(program="arena")
        self.await_that(self.rows, "rows")
        self.click("#tab-systems")
        self.await_that(lambda: len(self.all("tr[data-system]")) > 2, "systems")
        self.click("#pause")
        self.await_text("paused", "#state")
