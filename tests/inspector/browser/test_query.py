"""Group 3: queries, their errors, completion, columns, and scrolling through many rows."""
from page_case import Keys, PageCase, label


class Query(PageCase):
    entities = 10000

    def test_ins_70_an_error_stands_under_its_place(self):
        self.begin()
        self.await_that(self.rows, "rows")
        self.type_into("#query", "Position & Frozn")
        self.await_text("game has no component 'Frozn'", "#mistake")
        self.assertEqual(self.script("return document.querySelector('.caret').textContent"), " " * 11 + "^" * 5)
        input_left = self.script("const e = document.querySelector('#query'); return e.getBoundingClientRect().left +"
                                 "parseFloat(getComputedStyle(e).paddingLeft) + 1")
        caret_left = self.script("const e = document.querySelector('.caret'); return e.getBoundingClientRect().left")
        self.assertAlmostEqual(input_left, caret_left, delta=2)
        self.assertGreater(len(self.rows()), 10)  # what was found before stays, and is marked as that
        self.assertIn("entities before the mistake", self.text(".list .tools"))
        self.assertLess(float(self.one(".list .scroll").value_of_css_property("opacity")), 0.8)
        self.assertGreaterEqual(self.one(".caret").size["height"], 13)  # a whole line
        self.click("#mistake .link")
        self.await_that(lambda: self.one("#query").get_attribute("value") == "Position & Frozen", "the correction")
        self.await_that(lambda: not self.all("#mistake"), "no mistake")
        self.assertNotIn("before the mistake", self.text(".list .tools"))
        self.assertEqual(self.one(".list .scroll").value_of_css_property("opacity"), "1")

    def test_an_empty_box_shows_a_query_that_the_game_answers(self):
        self.begin()
        example = self.one("#query").get_attribute("placeholder").split("such as ")[1]
        self.assertRegex(example, r"^\w+ & !Frozen where \w+\.\w+ < 20$")
        self.query(example)
        self.await_that(lambda: self.total() < 10000, "an answer")
        self.assertEqual(self.all("#mistake"), [])

    def test_numbers_stand_below_the_names_of_their_fields(self):
        self.begin("game/entities?cols=Position,Velocity,Health.points,Name")
        self.await_that(self.rows, "rows")
        self.ask("components.set", context="game", entity="6:5", path="Velocity.y", value="-Infinity")
        self.one("tr[data-entity='6:5'] .odd")
        heads = self.script("return [...document.querySelectorAll('.rows .head')].map(head => head.innerText.replace(/[^\\w.]+/g, ' '))")
        self.assertEqual([head.strip() for head in heads], ["Position x y", "Velocity x y", "Health.points", "Name"])
        rights = self.script("""
            const right = element => Math.round(element.getBoundingClientRect().right);
            const all = [...document.querySelectorAll('.rows .fields .number')].map(right);
            return [all, [...document.querySelectorAll('tr[data-entity]')].map(row => [...row.querySelectorAll('.number')].map(right))]""")
        for numbers in filter(None, rights[1]):
            self.assertEqual(numbers[:4], rights[0])

    def test_ins_70_names_are_completed(self):
        self.begin()
        self.type_into("#query", "Posi")
        self.await_text("Position", "#offers")
        self.keys(Keys.TAB)
        self.keys("& in mov")
        self.await_text("movers", "#offers")
        self.keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.keys("where Health.po")
        self.await_text("Health.points", "#offers")
        self.keys(Keys.TAB, "< 60", Keys.ENTER)
        self.assertEqual(self.one("#query").get_attribute("value"), "Position & in movers where Health.points < 60")
        self.await_that(lambda: 0 < self.total() < 3000, "fewer rows")

    def test_10000_rows_are_scrolled_with_at_most_120_in_the_document(self):
        self.begin()
        self.await_that(self.rows, "rows")
        most = 0
        for place in (0.1, 0.5, 0.3, 0.9, 1):
            self.script("const b = document.querySelector('.list .scroll');"
                        "b.scrollTop = arguments[0] * (b.scrollHeight - b.clientHeight)", place)
            wanted = round(place * (self.total() - 1))

            def shown():
                slots = [int(entity.split(":")[1]) for entity in self.in_sight()]
                return slots and min(slots) <= wanted and max(slots) >= wanted - 40
            self.await_that(shown, f"row {wanted}")
            most = max(most, len(self.all("tr")))
        self.assertEqual(self.rows()[-1].split(":")[1], "10000")
        self.assertLessEqual(most, 120)

    def in_sight(self):
        return self.script("""
            const box = document.querySelector('.list .scroll').getBoundingClientRect();
            return [...document.querySelectorAll('tr[data-entity]')].filter(row => {
                const own = row.getBoundingClientRect();
                return own.bottom > box.top && own.top < box.bottom;
            }).map(row => row.dataset.entity)""")

    def test_columns_are_added_and_removed(self):
        self.begin()
        self.await_that(self.rows, "rows")
        self.choose(".add-column", "Velocity.x")
        self.one(label("Remove the column Velocity.x"))
        self.await_that(lambda: "cols=" in self.browser.current_url, "columns in the address")
        self.script("document.querySelector('[aria-label=\"Remove the column Velocity.x\"]').click()")
        self.await_that(lambda: not self.all(label("Remove the column Velocity.x")), "no column")

    def test_the_back_button_goes_to_the_query_before(self):
        self.begin()
        self.await_that(self.rows, "rows")
        self.query("Frozen")
        self.await_that(lambda: self.total() < 5000, "frozen units")
        self.select(self.rows()[0])
        self.click("#tab-systems")
        self.await_text("Strike")
        self.browser.back()
        self.one(".panel .component")
        self.browser.back()
        self.await_that(lambda: self.all(".overview"), "no selection")
        self.assertEqual(self.one("#query").get_attribute("value"), "Frozen")

    def test_nothing_matches_says_why(self):
        self.begin()
        self.query("Kit & Score")
        self.await_text("0 of 10")
        self.await_text("1 have Score")

    def test_an_order_shows_the_first_thousand(self):
        self.begin()
        self.query("Health order by points")
        self.await_text("the first 1000 shown")
        self.script("const b = document.querySelector('.list .scroll'); b.scrollTop = 1e9")
        self.await_that(lambda: len(self.in_sight()) > 5, "the end of the order")
        self.assertLessEqual(len(self.all("tr")), 120)

    def test_ins_50_differences_put_together_are_what_is_there(self):
        self.begin("game/entities")
        self.one("tr[data-entity]")
        self.browser.set_script_timeout(20)
        seen = self.browser.execute_async_script("""
            const done = arguments[arguments.length - 1];
            const headers = {Authorization: 'Bearer ' + sessionStorage.getItem('kin-token'), 'Content-Type': 'application/json'};
            const params = {query: 'in movers where Position.at.x > 50', fields: ['Position', 'Velocity', 'Name'], limit: 100};
            const post = (path, method, params) => fetch(path, {method: 'POST', headers,
                body: JSON.stringify({jsonrpc: '2.0', id: 1, method, params})});
            const seen = {events: 0, whole: 0, rows: 0};
            async function follow() {
                const {applied} = await import('/differences.js');
                const response = await post('/stream', 'entities.query+watch', {...params, period: 50});
                const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
                let rest = '', last = null;
                setTimeout(() => post('/rpc', 'time.pause', {}), 1500);
                setTimeout(() => reader.cancel(), 2500);
                for (;;) {
                    const {value, done} = await reader.read();
                    if (done) break;
                    rest += value;
                    for (let end; (end = rest.indexOf('\\n\\n')) >= 0; rest = rest.slice(end + 2)) {
                        const data = rest.slice(0, end).split('\\n').find((line) => line.startsWith('data: '));
                        if (!data) continue;
                        const event = JSON.parse(data.slice(6));
                        seen.events++;
                        seen.whole += event.whole === true;
                        last = event.whole ? event.result : applied(last, event.result);
                    }
                }
                const answer = await (await post('/rpc', 'entities.query', params)).json();
                seen.rows = last.rows.length;
                seen.isSame = JSON.stringify(last.rows) === JSON.stringify(answer.result.rows) && last.total === answer.result.total;
            }
            follow().then(() => done(seen), (error) => done({error: String(error)}));""")
        self.assertTrue(seen.get("isSame"), seen)
        self.assertGreater(seen["rows"], 20)
        self.assertGreater(seen["events"], 10)
        self.assertEqual(seen["whole"], 1)
