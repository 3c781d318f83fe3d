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

    def test_match_one_shows_unique_values_and_reactive_systems_of_groups(self):
        self.begin(program="match_one")
        self.await_that(lambda: self.text("[data-unique=Board] .facts").split() == ["columns", "8", "rows", "9"], "fields")
        self.click("#tab-groups")
        used = "return [...document.querySelectorAll('tbody tr')].find(r => r.cells[0].innerText === 'taken').cells[5].innerText"
        self.await_that(lambda: self.script(used).split() == ["Fall", "Fill", "CountTaken"], "systems that react to a group")

    def test_solar_shows_its_tree(self):
        self.begin(program="solar")
        self.query('Name where text = "Moon"')
        self.await_that(lambda: self.total() == 1, "the moon")
        self.select(self.rows()[0])
        self.await_that(lambda: self.text(".parents").count("›") == 2, "below the earth, below the sun")
        self.await_text("satellites", ".holders")
        self.click(".parents a:last-of-type")
        self.await_that(lambda: self.value("Name.text") == "Earth", "the earth")

    def names(self, selector):
        return self.script("return [...document.querySelectorAll(arguments[0])].map(one => one.innerText.trim())", selector)

    def test_solar_shows_names_and_texts_below_the_names_of_their_fields(self):
        self.begin(program="solar")
        self.await_that(lambda: self.names("td.label")[:3] == ["Sun", "Venus", "Earth"], "the labels")
        heads = [name.split()[0] for name in self.names(".rows thead .head > span:first-child")]
        self.assertEqual(sorted(heads), ["Name", "Orbit", "Orbits", "Place"])  # no row has a Course
        lefts = """return [...document.querySelectorAll('tbody tr')].map(row => row.cells[2].querySelector('.number')
            .getBoundingClientRect().left)"""
        self.await_that(lambda: len(set(self.script(lefts))) == 1, "numbers below each other")
        self.assertEqual(self.names(".rows thead th:nth-child(3) .word, .rows thead th:nth-child(3) .fields .number"), ["text", "symbol"])

    def test_solar_shows_children_in_the_order_of_the_relation(self):
        self.begin(program="solar")
        self.await_that(self.rows, "rows")
        sun, venus = self.rows()[:2]
        self.select(sun)
        def order(): return [name.split(" ", 1)[1] for name in self.names(".holders li")]
        self.await_that(lambda: order() == ["Venus", "Earth", "Mars"], "the planets")
        for value in (None, sun):
            self.ask("components.set", context="space", entity=venus, path="Orbits.center", value=value)
        self.await_that(lambda: order() == ["Earth", "Mars", "Venus"], "Venus as the last one")

    def test_flock_shows_its_parallel_systems(self):
        self.begin("sky/systems", program="flock")
        self.await_text("looks up cell", "tr[data-system=Steer] .more-cell")
        self.assertEqual([" ".join(use.split()) for use in self.names("tr[data-system=Fly] .uses")],
                         ["parallel batch 2", "group birds", "writes Position Velocity", "changes Cell"])
        self.await_that(lambda: len(self.all(".timeline .call")) >= 1, "calls")

    def test_flock_names_entities_by_their_blueprint(self):
        self.begin(program="flock")
        self.await_that(lambda: self.names("td.label")[:2] == ["Bird", "Bird"], "the blueprint")

    def test_arena_is_shown_without_a_world(self):
        self.begin(program="arena")
        self.await_that(self.rows, "rows")
        self.click("#tab-systems")
        self.await_that(lambda: len(self.all("tr[data-system]")) > 2, "systems")
        self.assertEqual(self.text(".tools .total"), "times of the last 240 calls")  # no update was measured
        self.click("#pause")
        self.await_text("paused", "#state")
