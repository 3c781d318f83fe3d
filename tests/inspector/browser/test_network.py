"""Group 10: the network of a host and of a replica: peers, numbers, and which field costs."""
import os

from page_case import PICTURES, TOKEN, PageCase
from test_views import CONTRAST


class Network(PageCase):
    def sail(self, place):
        return self.begin(place, program="harbour", arguments=(TOKEN,))

    def picture(self, name):
        self.browser.save_screenshot(os.path.join(PICTURES, name + ".png"))

    def rows_of(self, table):
        return [[cell.text for cell in row.find_elements("css selector", "td")] for row in self.all(f"{table} tbody tr")]

    def test_ins_80_a_host_shows_its_peers_and_which_field_costs(self):
        self.sail("game/network")
        self.await_text("host", "#network-facts")
        self.await_that(lambda: len(self.all("#network-peers tbody tr")) == 2, "two peers")
        self.await_that(lambda: "/s" in self.text("#network-peers"), "bytes a second")
        peers = self.rows_of("#network-peers")
        self.assertEqual([peer[1] for peer in peers], ["2", "all"])
        self.await_that(lambda: int(self.rows_of("#network-peers")[0][6].replace(",", "").replace("\u202f", "")) > 5, "messages")
        self.await_text("Position.x", "#network-costs")
        costs = {row[0]: int(row[1].replace(",", "").replace("\u202f", "")) for row in self.rows_of("#network-costs")}
        self.assertGreater(costs["Position.x"], costs["Position.y"])
        self.assertNotIn("Cargo.weight", costs)  # it does not change
        self.assertIn("which entities", costs)
        self.assertEqual(self.script(CONTRAST), [])
        self.picture("network_host")

    def test_ins_80_a_replica_shows_what_it_applies(self):
        self.sail("game/network")
        self.one("#network-facts")
        contexts = [option.get_attribute("value") for option in self.all("select.world option")]
        self.assertEqual(len(contexts), 3)
        self.choose("select.world", contexts[1])
        self.await_text("replica", "#network-facts")
        self.await_text("applied us p99", "#network-facts")
        self.await_text("Position.x", "#network-costs")
        self.assertEqual(self.all("#network-peers"), [])
        self.assertEqual(self.script(CONTRAST), [])
        self.picture("network_replica")

    def test_ins_80_a_world_without_a_session_says_so(self):
        self.begin("game/network")
        self.await_text("The world has no session", "main")


if __name__ == "__main__":
    import unittest
    unittest.main()
