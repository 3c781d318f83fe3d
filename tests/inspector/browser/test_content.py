"""Group 9: content: files with their errors, names instead of handles, overrides, and saving back."""
import os
import subprocess
import tempfile

from page_case import GAMES, PICTURES, TOKEN, PageCase
from test_views import CONTRAST

KIN = os.path.join(GAMES, "..", "bin", "kin")
SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fortress.yaml")
GUNS = "content: 1\nprefabs:\n  Fast: { extends: Cannon, Health: { points: 150 } } # hard to break\n"
VALLEY = ("content: 1\nlevels:\n  valley:\n    place:\n      - Fast: { at: [3, 4], as: north_gun }\n"
          "      - Fast: { at: [8, 4] }  # no name\n")


class Content(PageCase):
    def setUp(self):
        super().setUp()
        self.folder = tempfile.mkdtemp(prefix="kin-test-content-")
        self.write("guns.yaml", GUNS)
        self.write("valley.yaml", VALLEY)
        subprocess.run([KIN, "pack", "-o", self.path("content.kinc"), SCHEMA, self.folder], check=True)

    def tearDown(self):
        super().tearDown()
        for name in os.listdir(self.folder):
            os.remove(self.path(name))
        os.rmdir(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def watch(self, place):
        return self.begin(place, program="fortress", arguments=(self.folder, TOKEN))

    def picture(self, name):
        self.browser.save_screenshot(os.path.join(PICTURES, name + ".png"))

    def handle_of(self, name):
        rows = self.ask("entities.query", context="game", query="Local", names=True)["rows"]
        return [row["e"] for row in rows if row.get("name") == name][0]

    def test_cnt_23_an_error_appears_and_goes(self):
        self.watch("game/content")
        self.await_text("The files are applied", "#content-state")
        self.await_text("guns.yaml")
        self.await_text("Fast")
        self.await_text("valley")
        self.write("guns.yaml", GUNS.replace("Cannon", "Canon"))
        self.await_text("no prefab or blueprint is named 'Canon'", "#content-state")
        self.await_text("guns.yaml:3:20", "#content-state")
        self.await_text("write 'Cannon'", "#content-state")
        self.await_text("has errors", ".lists")
        self.assertEqual(self.script(CONTRAST), [])
        self.picture("content_errors")
        self.write("guns.yaml", GUNS.replace("150", "170"))
        self.await_text("The files are applied", "#content-state")
        gun = self.handle_of("valley/north_gun")
        self.assertEqual(self.ask("entities.get", context="game", entity=gun)["components"]["Health"]["points"], 170)
        self.assertEqual(self.script(CONTRAST), [])
        self.picture("content_applied")

    def test_cnt_30_names_overrides_and_saving_back(self):
        self.watch("game/entities?q=Local")
        self.await_text("valley/north_gun.head", ".rows")
        self.await_text("Fast.head", ".rows")
        gun = self.handle_of("valley/north_gun")
        self.select(gun)
        self.await_text("valley/north_gun", "#content-name")
        self.await_text("It is what the content says", "#content-of")
        self.ask("components.set", context="game", entity=gun, path="Health.points", value=66)
        self.ask("components.set", context="game", entity=gun, path="Local.at.x", value=5.5)
        self.await_text("Health.points", "#content-of")
        self.await_text("66", "#content-of")
        self.assertEqual(self.script(CONTRAST), [])
        self.picture("content_overrides")
        self.click("#save-prefab")
        self.await_text("Saved 1 value to the prefab", ".notice")
        self.assertEqual(self.read("guns.yaml"), GUNS.replace("150", "66"))
        self.await_that(lambda: "Health.points" not in self.text("#content-of"), "the prefab gives it")
        self.click("#save-instance")
        self.await_that(lambda: self.read("valley.yaml") == VALLEY.replace("[3, 4]", "[5.5, 4]"), "the level has it")
        self.await_text("It is what the content says", "#content-of")
        self.ask("components.set", context="game", entity=gun, path="Health.points", value=1)
        self.await_text("Health.points", "#content-of")
        self.click("#revert")
        self.await_text("It is what the content says", "#content-of")
        answer = self.ask("entities.get", context="game", entity=gun)
        self.assertEqual(answer["components"]["Health"]["points"], 66)
        self.ask("components.set", context="game", entity=gun, path="Health.points", value=900)
        self.one("#new-prefab")
        self.type_into("#new-prefab", "Strong")
        self.click("#save-new")
        self.await_that(lambda: "  Strong: { extends: Fast, Health: { points: 900 } }\n" in self.read("guns.yaml"), "a new prefab")

    def test_cnt_30_a_choice_of_values_is_saved(self):
        self.watch("game/entities?q=Local")
        gun = self.handle_of("valley/north_gun")
        self.select(gun)
        self.await_text("It is what the content says", "#content-of")
        self.ask("components.set", context="game", entity=gun, path="Health.points", value=66)
        self.ask("components.set", context="game", entity=gun, path="Local.at.x", value=5.5)
        self.await_text("Local.at.x", "#content-of")
        self.click("[aria-label='Save Health.points']")
        self.click("#save-instance")
        self.await_that(lambda: self.read("valley.yaml") == VALLEY.replace("[3, 4]", "[5.5, 4]"), "the place alone")
        self.assertEqual(self.read("guns.yaml"), GUNS)
        self.await_that(lambda: "Local.at.x" not in self.text("#content-of"), "the level gives it")
        self.click("[aria-label='Save Health.points']")
        self.ask("components.set", context="game", entity=gun, path="Local.at.y", value=7)
        self.await_text("Local.at.y", "#content-of")
        self.click("#save-prefab")
        self.await_text("Local.at.y, where an instance stands is not its prefab's", "#left-out")
        self.assertEqual(self.script(CONTRAST), [])
        self.assertEqual(self.read("guns.yaml"), GUNS.replace("150", "66"))

    def test_cnt_30_an_instance_without_a_name_is_saved_to_its_level(self):
        self.watch("game/entities?q=Health")
        rows = self.ask("entities.query", context="game", query="Health", names=True)["rows"]
        gun = [row["e"] for row in rows if row.get("name") == "Fast"][0]
        self.select(gun)
        self.await_text("It is what the content says", "#content-of")
        self.ask("components.set", context="game", entity=gun, path="Local.at.x", value=9)
        self.await_text("Local.at.x", "#content-of")
        self.click("#save-instance")
        self.await_that(lambda: self.read("valley.yaml") == VALLEY.replace("[8, 4]", "[9, 4]"), "the level has it")

    def test_cnt_30_unique_components_are_compared_with_values(self):
        self.write("valley.yaml", VALLEY + "values: { Battle: { money: 30 } }\n")
        subprocess.run([KIN, "pack", "-o", self.path("content.kinc"), SCHEMA, self.folder], check=True)
        self.watch("game/entities?q=Battle")
        carrier = self.ask("entities.query", context="game", query="Battle")["rows"][0]["e"]
        self.select(carrier)
        self.await_text("It is what values say", "#content-of")
        self.ask("components.set", context="game", entity=carrier, path="Battle.money", value=5)
        self.await_text("Battle.money", "#content-of")
        self.assertFalse(self.browser.find_elements("css selector", "#save-prefab"))
        self.assertEqual(self.script(CONTRAST), [])
        self.click("#revert")
        self.await_text("It is what values say", "#content-of")

    def test_a_prefab_is_spawned_and_selected(self):
        self.watch("game/content")
        self.await_text("Fast", ".lists")
        self.click("[aria-label='Spawn Fast']")
        self.await_text("Spawned Fast as", ".notice")
        self.await_text("Fast", "#content-name")
        self.await_text("It is what the content says", "#content-of")
        self.assertFalse(self.browser.find_elements("css selector", "#save-instance"))

    def test_ins_72_a_game_without_content_says_which_line_opens_it(self):
        self.begin("game/content")
        self.await_text("game_content_open", "main")
