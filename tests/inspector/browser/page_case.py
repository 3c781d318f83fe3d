"""A game and a browser for each test of the inspector's page: tests/inspector/browser/run.sh has what they need.

After each test the console must be empty, apart from what the test says, and a screenshot is kept."""
import os
import subprocess
import threading
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

TOKEN = "0123456789abcdef0123456789abcdef"
GAME = os.environ["KIN_PAGE_GAME"]
GAMES = os.environ["KIN_PAGE_GAMES"]
PICTURES = os.environ["KIN_PAGE_PICTURES"]
PATIENCE = 12  # seconds


class Game:
    """The game, or another program: its address, and the last frame that it printed itself."""

    def __init__(self, entities=1000, token=TOKEN, wait=0, inspect="", program=None, arguments=()):
        environment = {**os.environ, "KIN_INSPECT": inspect}
        if not inspect:
            del environment["KIN_INSPECT"]
        command = [os.path.join(GAMES, program), *arguments] if program else [GAME, str(entities), token, str(wait)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment)
        self.address = self.process.stderr.readline().split(" at ")[1].strip()
        self.port = self.address.split(":")[2].split("/")[0]
        self.frame = 0
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            if line.startswith("frame "):
                self.frame = int(line.split()[1])

    def stand(self):
        """Stops updates for the `wait` of the game."""
        self.process.stdin.write("stand\n")
        self.process.stdin.flush()

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(10)


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ["KIN_PAGE_CHROMIUM"]
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,860", "--lang=en",
                     "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(os.environ["KIN_PAGE_DRIVER"]), options=options)


class PageCase(unittest.TestCase):
    entities = 1000

    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def setUp(self):
        self.allowed = []
        self.games = []
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.browser.get_log("browser")

    def tearDown(self):
        name = self.id().split(".")[-1]
        self.browser.save_screenshot(os.path.join(PICTURES, name + ".png"))
        logged = [entry["message"] for entry in self.browser.get_log("browser")]
        self.browser.get("about:blank")
        for game in self.games:
            game.end()
        left = [message for message in logged if not any(words in message for words in self.allowed)]
        self.assertEqual(left, [], "the console must be empty")

    def start(self, **options):
        game = Game(**{"entities": self.entities, **options})
        self.games.append(game)
        return game

    def open(self, game, place=""):
        """Opens the game's address, in a tab without a token, and waits for its first rows."""
        self.browser.get("about:blank")
        self.browser.get(game.address)
        if place:
            self.await_that(lambda: "token" not in self.browser.current_url, "the token leaves the address")
            self.browser.get(game.address.split("#")[0] + "#/" + place)

    def begin(self, place="", **options):
        game = self.start(**options)
        self.open(game, place)
        return game

    # ---- what is there

    def await_that(self, condition, what, patience=PATIENCE):
        end = time.time() + patience
        while time.time() < end:
            try:
                found = condition()
                if found:
                    return found
            except Exception as error:  # an element that was drawn anew
                found = error
            time.sleep(0.03)
        self.fail(f"in vain: {what}; page:\n{self.text()[:1500]}")

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.await_that(lambda: self.all(selector), selector)[0]

    def text(self, selector="body"):
        return self.script("const e = document.querySelector(arguments[0]); return e ? e.innerText : ''", selector)

    def value(self, label):
        return self.script("return document.querySelector(`[aria-label=\"${arguments[0]}\"]`).value", label)

    def script(self, code, *arguments):
        return self.browser.execute_script(code, *arguments)

    def await_text(self, words, selector="body"):
        self.await_that(lambda: words in self.text(selector), f"'{words}' in {selector}")

    def left(self, selector):
        return self.script("return document.querySelector(arguments[0]).getBoundingClientRect().left", selector)

    def rows(self):
        return self.script("return [...document.querySelectorAll('tr[data-entity]')].map(r => r.dataset.entity)")

    def total(self):
        return int("".join(letter for letter in self.text("#total") if letter.isdigit()) or -1)

    # ---- what one does

    def click(self, selector):
        self.await_that(lambda: (self.all(selector)[0].click(), True)[1], "a click on " + selector)

    def keys(self, *keys):
        """Presses keys where the focus is."""
        active = self.browser.switch_to.active_element
        active.send_keys(*keys)

    def type_into(self, selector, *keys):
        self.one(selector)
        self.script("const e = document.querySelector(arguments[0]); e.focus(); e.select()", selector)
        self.keys(Keys.CONTROL, "a")
        self.keys(*keys)

    def choose(self, selector, value):
        """Chooses a value of a list."""
        self.await_that(lambda: self.script("""
            const list = document.querySelector(arguments[0]);
            list.value = arguments[1];
            if (list.value !== arguments[1]) return false;
            list.dispatchEvent(new Event('change', {bubbles: true}));
            return true""", selector, value), f"{value} in {selector}")

    def ask(self, method, **params):
        """Asks the game as the page does."""
        return self.browser.execute_async_script("""
            const [method, params, done] = arguments;
            const headers = {Authorization: 'Bearer ' + sessionStorage.getItem('kin-token'), 'Content-Type': 'application/json'};
            fetch('/rpc', {method: 'POST', headers, body: JSON.stringify({jsonrpc: '2.0', id: 1, method, params})})
                .then(response => response.json()).then(answer => done(answer.result));""", method, params)

    def query(self, text):
        self.type_into("#query", text, Keys.ENTER)

    def select(self, entity):
        self.click(f"tr[data-entity='{entity}']")
        self.one(".panel .component")


def label(name):
    return f"[aria-label='{name}']"
