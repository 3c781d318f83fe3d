"""Group 5, and the rest of 6: the journal, what is written in place, why not, holds and the timeline."""

from selenium.webdriver.common.action_chains import ActionChains

from page_case import Keys, PageCase, label


class Record(PageCase):
    def need(self, method):
        """Skips the test where the inspector has no such method."""
        if method not in [one["name"] for one in self.ask("rpc.discover")["methods"]]:
            self.skipTest("this inspector has no " + method)

    def test_ins_63_the_journal_says_who_changed_what(self):
        self.begin("game/journal")
        self.need("journal.read")
        self.await_text("The journal is off")
        self.click(".empty .chip:nth-child(2)")
        self.click("#record")
        self.await_text("Strike", ".records")
        self.await_text("points", ".records")
        self.choose(label("Component"), "Health")
        self.await_that(lambda: "jc=Health" in self.browser.current_url, "the filter in the address")
        entity = self.script("return document.querySelector('.records a.handle').textContent")
        self.browser.get(self.browser.current_url.split("#")[0] + "#/game/entities?e=" + entity)
        self.await_text("Strike replaced Health", ".history")
        self.browser.get(self.browser.current_url.split("#")[0] + "#/game/journal")
        self.click("#stop")
        self.await_text("The journal is off")

    def test_ins_64_what_is_written_in_place_is_found(self):
        self.begin("game/entities?e=6:5")
        self.one(".panel .component")
        self.need("watches.add")
        self.click(label("Watch Position"))
        self.click("#tab-journal")
        self.await_text("Move", ".watch .records")
        self.await_text("written", ".watch .records")
        self.click(label("Stop watching Position"))
        self.await_that(lambda: not self.all(".watch"), "no watch")

    def test_ins_65_systems_that_write_what_they_do_not_declare_are_marked(self):
        self.begin("game/journal")
        self.choose(label("Audited component"), "Velocity")
        self.click(".audits form button")
        self.await_text("⚠ not in its writes", "[data-audited=Freeze]")
        self.assertRegex(self.text("[data-audited=Freeze]"), "y 1.(50 → 1.25|25 → 1.50)")
        self.choose(label("Audited component"), "Position")
        self.click(".audits form button")
        self.await_text("declared", "[data-audited=Move]")
        self.assertNotIn("⚠", self.text("[data-audited=Move]"))
        self.click("#tab-systems")
        self.await_text("wrote Velocity ⚠ not in its writes", "[data-system=Freeze]")
        self.await_text("wrote Position", "[data-system=Move]")
        self.click("#tab-journal")
        self.click(label("Stop the audit of Velocity"))
        self.await_that(lambda: not self.all("[data-audited=Freeze]"), "no audit of Velocity")
        self.assertTrue(self.all("[data-audited=Move]"))

    def test_ins_67_a_collector_says_why(self):
        self.begin("game/collectors")
        self.await_text("Count", "main")
        self.need("collectors.why")
        self.click("[aria-expanded=false]")
        self.await_text("Health replaced", "[aria-label=Why]")
        self.await_text("by Strike", "[aria-label=Why]")
        self.await_text("passed", "[aria-label=Why]")

    def test_a_mark_is_compared_with_now(self):
        self.begin("game/journal")
        self.need("marks.take")
        self.keys("m")
        self.await_text("Mark A", ".notice")
        self.click(".watch .link")
        self.await_text("changed", "[aria-label=Differences]")

    def test_ins_61_the_update_is_held_before_a_system(self):
        game = self.begin("game/systems")
        self.await_text("Strike")
        self.need("time.hold")
        self.script("document.querySelector(arguments[0]).click()", label("Hold before Strike"))
        self.await_text("held before Strike", "#state")
        frame = game.frame
        self.click("#step-system")
        self.await_text("held before Count", "#state")
        self.assertLessEqual(game.frame, frame + 1)
        self.click("#pause")
        self.await_text("live", "#state")
        self.await_that(lambda: game.frame > frame + 20, "the game goes on")

    def test_ins_66_the_timeline_shows_the_calls_of_an_update(self):
        self.begin("game/systems")
        self.await_text("Strike")
        self.need("timeline.get")
        self.await_that(lambda: len(self.all(".timeline .call")) >= 4, "calls")
        self.assertIn("Move", self.script("return document.querySelector('.timeline').textContent"))

    def test_ins_66_an_update_is_chosen_and_measured(self):
        self.begin("game/systems")
        self.await_that(lambda: len(self.all(".updates rect")) > 60, "updates")
        self.assertIn("Each bar is an update", self.script("return document.querySelector('.updates title').textContent"))
        bars = self.one(".updates")
        self.click("#pause")
        self.await_text("paused", "#state")
        ActionChains(self.browser).move_to_element_with_offset(bars, bars.size["width"] // 2 - 20, 0).click().perform()
        self.one(".updates .chosen")
        chosen = self.text("#update")
        self.assertEqual(self.one("#latest").get_attribute("aria-pressed"), "false")
        milliseconds = float(self.text("#update").split()[-2])
        axis = [float(text.split()[0]) for text in self.text(".axis").split("\n")]
        self.assertEqual(axis[0], 0)
        self.assertAlmostEqual(axis[1], milliseconds / 2, delta=0.001)
        self.assertEqual(axis[2], milliseconds)
        self.click(label("The update before"))
        self.await_that(lambda: self.text("#update") != chosen, "another update")
        self.click(label("The next update"))
        self.await_text(chosen, "#update")

    def test_r1_messages_appear_with_publisher_readers_and_fields(self):
        self.begin("game/messages")
        self.await_text("Strike → Count", ".published")
        self.await_text("points 1", ".published")
        self.choose(label("Message"), "Hit")
        self.await_that(lambda: "mt=Hit" in self.browser.current_url, "the filter in the address")
        self.await_text("Strike → Count", ".published")
        entity = self.one(".published a.handle").text
        self.script("document.querySelector('.published a.handle').click()")
        self.await_that(lambda: "/game/entities" in self.browser.current_url, "the view of entities")
        self.assertRegex(entity, r"^\d+:\d+$")
        self.one(".panel .component")

    def test_ins_32_refusals_appear(self):
        self.begin("game/messages")
        self.await_text("game: cannot add Health of entity", ".refusals")
        self.assertIn("Strike", self.text(".refusals tbody tr"))
        self.assertIn("HAS_COMPONENT", self.text(".refusals tbody tr"))
        self.await_text("×", ".refusals tbody")  # equal ones in a row are one
        self.assertEqual(len(self.all(".refusals tbody tr")), 1)
        self.await_text("since the inspector began", label("Refused"))

    def test_ins_72_a_game_without_messages_says_so(self):
        self.begin("/messages", program="match_one")
        self.await_text("No messages in the schema.", label("Messages"))
        self.await_text("Nothing was refused since this view was opened.", label("Refused"))

    def test_plots_follow_a_value_and_a_count(self):
        self.begin("game/plots")
        self.type_into(label("A value or a query"), "Frozen", Keys.ENTER)
        self.await_text("count of Frozen")
        self.type_into(label("A value or a query"), "6:5 Position.at.y", Keys.ENTER)
        self.await_text("Position.at.y of 6:5")
        self.await_that(lambda: len(self.all(".plot canvas")) == 2, "two charts")
        self.type_into(label("A value or a query"), "Frozn", Keys.ENTER)
        self.await_text("game has no component 'Frozn'", ".notice")
