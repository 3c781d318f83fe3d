"""Match-One, the arena and the program of docs/browser.md as pages of chromium: tests/browser/run.sh has what they need.

After each test the console must be empty, and a screenshot is kept."""
import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = Path(__file__).parents[2]
PAGES = Path(os.environ["KIN_PAGES"])
PICTURES = Path(os.environ["KIN_PAGE_PICTURES"])
PATIENCE = 12  # seconds
BLOCKER = 6  # the kind that cannot be taken


class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ["KIN_PAGE_CHROMIUM"]
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", "--window-size=1280,860"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(service=Service(os.environ["KIN_PAGE_DRIVER"]), options=options)
        cls.addClassCleanup(cls.browser.quit)

    def tearDown(self):
        self.browser.save_screenshot(str(PICTURES / (".".join(self.id().split(".")[-2:]) + ".png")))
        logged = [entry["message"] for entry in self.browser.get_log("browser")]
        self.browser.get("about:blank")
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.assertEqual(logged, [], "the console must be empty")

    def open(self, path, query=""):
        self.browser.get(f"file://{path}{query}")

    def resize(self, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def run_script(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def find(self, name):
        return self.browser.find_element(By.ID, name)

    def await_that(self, condition, what):
        end = time.time() + PATIENCE
        while time.time() < end:
            if condition():
                return
            time.sleep(0.03)
        self.fail(f"not within {PATIENCE} seconds: {what}")

    def assert_fits(self):
        width, inner = self.run_script("return [document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(width, inner, "the page is wider than the window")


class MatchOne(PageCase):
    def begin(self, query="?seed=12"):
        self.open(PAGES / "match_one.html", query)
        self.await_that(lambda: self.run_script("return page.cell") > 0, "the board is drawn")

    def score(self):
        return int(self.find("score").text)

    def size(self):
        return tuple(self.run_script("return [page.columns, page.rows]"))

    def board(self):
        """The kinds by row, from the lowest."""
        return self.run_script("return Array.from({length: page.rows}, (_, y) =>"
                               "Array.from({length: page.columns}, (_, x) => Module._game_kind_at(x, y)))")

    def cell_with(self, wanted):
        for y, row in enumerate(self.board()):
            for x, kind in enumerate(row):
                if (kind == BLOCKER) == wanted:
                    return x, y
        self.fail("no such cell")

    def click(self, x, y):
        left, top, cell, rows = self.run_script(
            "const box = canvas.getBoundingClientRect();"
            "return [box.left, box.top, box.width / page.columns, page.rows]")
        mouse = ActionChains(self.browser, duration=0)
        mouse.w3c_actions.pointer_action.move_to_location(round(left + (x + 0.5) * cell),
                                                          round(top + (rows - 0.5 - y) * cell))
        mouse.w3c_actions.pointer_action.click()
        mouse.perform()

    def press(self, *keys):
        ActionChains(self.browser, duration=0).send_keys(*keys).perform()

    def colours(self):
        """The colour beside the shape of each cell, by row from the lowest: red, green, blue and opacity."""
        return self.run_script(
            "const all = context.getImageData(0, 0, canvas.width, canvas.height).data;"
            "const at = (n) => Math.round((n + 0.18) * page.cell);"
            "const colour = (x, y) => [...all.slice(4 * (at(page.rows - 1 - y) * canvas.width + at(x))).slice(0, 4)];"
            "return Array.from({length: page.rows}, (_, y) =>"
            "Array.from({length: page.columns}, (_, x) => String(colour(x, y))))")

    def test_a_click_takes_a_piece_and_others_fall(self):
        self.begin()
        before = self.board()
        column = next(x for x in range(len(before[0])) if all(row[x] != BLOCKER for row in before))
        self.click(column, 0)
        self.await_that(lambda: self.score() == 1, "the score is 1")
        self.await_that(lambda: all(kind >= 0 for row in self.board() for kind in row), "the board is full again")
        after = self.board()
        self.assertEqual([row[column] for row in after[:-1]], [row[column] for row in before[1:]])

    def test_a_blocker_stays(self):
        self.begin()
        x, y = self.cell_with(True)
        before = self.board()
        self.click(x, y)
        time.sleep(0.3)
        self.assertEqual((self.score(), self.board()), (0, before))

    def test_a_burst_takes_all_that_hang_together(self):
        self.begin("?seed=12")
        board = self.board()
        pair = next((x, y) for y, row in enumerate(board) for x in range(len(row) - 1)
                    if row[x] == row[x + 1] != BLOCKER)
        self.find("burst").click()
        self.await_that(lambda: self.find("burst").get_attribute("aria-pressed") == "true", "the button is down")
        self.click(*pair)
        self.await_that(lambda: self.score() >= 2, "the score is at least 2")

    def test_the_keys_play(self):
        self.begin()
        columns, rows = self.size()
        x, y = self.cell_with(False)
        self.press(*[Keys.ARROW_LEFT] * columns, *[Keys.ARROW_DOWN] * rows, *[Keys.ARROW_RIGHT] * x,
                   *[Keys.ARROW_UP] * y, " ")
        self.await_that(lambda: self.score() == 1, "the space bar takes a piece")
        self.press("b")
        self.await_that(lambda: self.find("burst").get_attribute("aria-pressed") == "true", "b is burst")
        self.press(">", "-")
        self.await_that(lambda: self.size() == (columns + 1, rows - 1), "the board has another size")
        self.press("r")
        self.await_that(lambda: self.score() == 0, "r begins another game")

    def test_the_same_seed_is_the_same_board(self):
        self.begin("?seed=7&columns=5&rows=4")
        self.assertEqual(self.size(), (5, 4))
        board = self.board()
        self.begin("?seed=7&columns=5&rows=4")
        self.assertEqual(self.board(), board)
        self.begin("?seed=8&columns=5&rows=4")
        self.assertNotEqual(self.board(), board)

    def test_pieces_of_one_kind_look_alike_and_others_do_not(self):
        self.begin()
        time.sleep(1.5)  # all have fallen
        colours, looks = self.colours(), {}
        for y, row in enumerate(self.board()):
            for x, kind in enumerate(row):
                looks.setdefault(kind, set()).add(colours[y][x])
        self.assertTrue(all(len(colours) == 1 for colours in looks.values()), looks)
        self.assertEqual(len(set.union(*looks.values())), len(looks))

    def test_the_page_fits_a_telephone(self):
        self.resize(390, 780)
        self.begin()
        self.assert_fits()
        self.click(*self.cell_with(False))
        self.await_that(lambda: self.score() == 1, "a touch takes a piece")


class Arena(PageCase):
    COUNTS = ("red", "blue", "dead", "frozen")

    def begin(self, query):
        self.open(PAGES / "arena.html", query)
        self.await_that(lambda: self.find("red").text != "", "the counts are shown")

    def counts(self):
        return {name: int(self.find(name).text) for name in self.COUNTS}

    def step(self, count):
        self.run_script("for (let i = 0; i < arguments[0]; i++) document.getElementById('step').click()", count)

    def test_it_plays_the_game_that_the_terminal_plays(self):
        golden = (ROOT / "tests/golden/arena.txt").read_text(encoding="utf-8")
        lines = re.findall(r"^step +(\d+)  Red +(\d+)  Blue +(\d+)  dead +(\d+)  frozen +(\d+)", golden, re.MULTILINE)
        self.assertEqual(len(lines), 12)
        self.begin("?seed=1&paused")
        done = 0
        for line in lines:
            steps, *counts = map(int, line)
            self.step(steps - done)
            done = steps
            self.assertEqual(self.counts(), dict(zip(self.COUNTS, counts)), f"step {steps}")

    def test_it_runs_until_paused(self):
        self.begin("?seed=1")
        self.await_that(lambda: int(self.find("steps").text) >= 4, "four steps are played")
        self.find("run").click()
        steps = self.find("steps").text
        time.sleep(0.5)
        self.assertEqual(self.find("steps").text, steps)
        self.find("run").click()
        self.await_that(lambda: self.find("steps").text != steps, "it goes on")

    def test_another_seed_is_another_game(self):
        self.begin("?seed=1&paused")
        self.step(40)
        first = self.counts()
        self.find("seed").clear()
        self.find("seed").send_keys("2", Keys.ENTER)
        self.await_that(lambda: self.find("steps").text == "0", "a game begins")
        self.assertEqual(self.counts(), {"red": 500, "blue": 500, "dead": 0, "frozen": 0})
        self.step(40)
        self.assertNotEqual(self.counts(), first)

    def test_units_are_drawn(self):
        self.begin("?seed=1&paused")
        self.step(20)
        time.sleep(0.3)
        pixels = self.run_script(
            "const all = context.getImageData(0, 0, canvas.width, canvas.height).data; let red = 0, blue = 0;"
            "for (let i = 0; i < all.length; i += 4) if (all[i + 3] > 128) {"
            " red += all[i] > 230 && all[i + 2] < 150; blue += all[i] < 130 && all[i + 2] > 230; }"
            "return [red, blue]")
        self.assertGreater(min(pixels), 5000, pixels)

    def test_the_page_fits_a_telephone(self):
        self.resize(390, 780)
        self.begin("?seed=1")
        self.assert_fits()


class Manual(PageCase):
    """The program of docs/browser.md, built by the commands of the page."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        page = (ROOT / "docs/browser.md").read_text(encoding="utf-8")
        for name, text in re.findall(r"^```\w+ (\w+\.\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
            with open(cls.folder / name, "a", encoding="utf-8") as file:
                file.write(text)
        shutil.copytree(os.environ["KIN_AMALGAMATION"], cls.folder / "kin")
        commands = re.findall(r"^    ((?:kin|emcc) .*)", page, re.MULTILINE)
        script = f'kin() {{ "{os.environ["KIN"]}" "$@"; }}; emcc() {{ command {os.environ["EMCC"]} "$@"; }}\n'
        result = subprocess.run(["sh", "-ec", script + "\n".join(commands)], cwd=cls.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode != 0:
            raise AssertionError(result.stdout)

    def place(self):
        return float(self.run_script("return cat.style.left.replace('px', '') || '0'"))

    def test_the_cat_walks_and_turns_round(self):
        self.open(self.folder / "town.html")
        self.await_that(lambda: self.place() > 110, "the cat walks to the right")
        self.find("cat").click()
        turned = self.place()
        self.await_that(lambda: self.place() < turned - 5, "the cat walks to the left")
