"""Group 1: the first load, the token, reloading, a wrong token, and a game that ends and is started anew."""
import signal
import time

from page_case import TOKEN, Keys, PageCase


class First(PageCase):
    def test_ins_21_the_token_leaves_the_address_at_once(self):
        game = self.start()
        began = time.time()
        self.open(game)
        self.await_that(self.rows, "rows")
        self.assertLess(time.time() - began, 5)
        self.assertNotIn(TOKEN, self.browser.current_url)
        self.assertNotIn(TOKEN, self.browser.title)
        self.assertEqual(self.script("return sessionStorage.getItem('kin-token')"), TOKEN)
        self.assertEqual(self.script("return document.cookie + Object.keys(localStorage).join()"), "")
        self.await_that(lambda: "#/game/entities" in self.browser.current_url, "the place in the address")
        self.await_text("live", "#state")
        self.assertEqual(self.total(), 1001)

    def test_ins_73_reloading_keeps_view_query_columns_and_selection(self):
        self.begin()
        self.query("Health where points < 80 order by points")
        self.await_that(lambda: 0 < self.total() < 1001, "fewer rows")
        self.select(self.rows()[2])
        self.click(".panel [aria-label='Pin Team']")
        place, selected = self.browser.current_url, self.text(".panel h2")
        self.browser.refresh()
        self.await_text(selected, ".panel h2")
        self.assertEqual(self.browser.current_url, place)
        self.assertEqual(self.one("#query").get_attribute("value"), "Health where points < 80 order by points")
        self.assertEqual(self.script("return document.querySelector('.component').dataset.component"), "Team")

    def test_ins_72_a_wrong_token_says_what_to_do(self):
        self.allowed = ["401"]
        game = self.start()
        self.browser.get("about:blank")
        self.browser.get(f"http://127.0.0.1:{game.port}/#token=wrong")
        self.await_text("Open the address that the game printed")
        self.browser.get("about:blank")
        self.browser.get(game.address)
        self.await_that(self.rows, "rows with the right token")

    def test_ins_72_without_a_token_the_page_says_what_to_do(self):
        self.allowed = ["401"]  # of the token that the tab has from the test before
        game = self.start()
        self.browser.get("about:blank")
        self.browser.get(f"http://127.0.0.1:{game.port}/")
        self.script("sessionStorage.clear()")
        self.browser.refresh()
        self.await_text("The token is missing or wrong")

    def test_ins_72_a_game_that_is_gone_is_tried_again(self):
        self.allowed = ["ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_INCOMPLETE_CHUNKED", "ERR_EMPTY_RESPONSE",
                        "ERR_SOCKET_NOT_CONNECTED", "401"]
        game = self.begin()
        self.await_that(self.rows, "rows")
        seen = len(self.rows())
        game.end()
        self.await_text("game gone", "#state")
        self.assertEqual(len(self.rows()), seen)  # the last frame stays
        port = "port=" + game.port
        again = self.start(inspect=port)
        self.await_text("live", "#state")
        again.end()
        self.await_text("game gone", "#state")
        self.start(inspect=port, token="f" * 32)
        self.await_text("started anew, with another token")

    def test_ins_07_a_game_that_does_not_update_is_named(self):
        game = self.begin(wait=3000)
        self.await_that(self.rows, "rows")
        seen = len(self.rows())
        game.stand()
        self.await_text("not updating for 1 s", "#state")
        time.sleep(0.7)  # until all that is watched has been refused
        self.assertEqual(self.all("#mistake, .trouble"), [])  # it is no mistake of the query
        self.assertEqual(len(self.rows()), seen)
        self.await_text("live", "#state")

    def test_ins_07_a_game_that_is_stopped_is_silent(self):
        game = self.begin()
        self.await_that(self.rows, "rows")
        game.process.send_signal(signal.SIGSTOP)
        try:
            self.await_that(lambda: "no answer for 2 s" in self.text("#state"), "words about it", 4)
            self.assertFalse(self.one("#pause").is_enabled())
            self.await_text("no answer for 3 s", "#state")
        finally:
            game.process.send_signal(signal.SIGCONT)
        self.await_text("live", "#state")
        self.assertTrue(self.one("#pause").is_enabled())

    def test_a_second_tab_needs_the_address_again(self):
        game = self.begin()
        self.await_that(self.rows, "rows")
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        self.browser.get(game.address)
        self.await_that(self.rows, "rows in the second tab")
        self.browser.close()
        self.browser.switch_to.window(first)

    def test_ins_70_keys(self):
        self.begin()
        self.await_that(self.rows, "rows")
        self.keys("j")
        self.one(".panel .component")
        first = self.text(".panel h2")
        self.keys("j")
        self.await_that(lambda: self.text(".panel h2") != first, "the next entity")
        self.keys("k")
        self.await_text(first, ".panel h2")
        self.keys(Keys.ESCAPE)
        self.one(".overview")
        self.keys("2")
        self.await_text("Strike")
        self.keys("1")
        self.keys("/")
        self.assertEqual(self.browser.switch_to.active_element.get_attribute("id"), "query")
        self.keys("2")  # typed, not a view
        self.assertEqual(self.one("#query").get_attribute("value"), "2")
        self.keys(Keys.BACKSPACE, Keys.ESCAPE)
        self.keys("?")
        self.await_text("pause and resume", "[role=dialog]")
        self.keys(Keys.ESCAPE)
        self.await_that(lambda: not self.all("[role=dialog]"), "no dialog")
