"""Group 4: values move, a value in edit does not, every kind of editor, refusals at the field, undo, and read-only."""
from page_case import Keys, PageCase, label


class Edit(PageCase):
    UNIT = "6:5"  # unit 4: it has a kit, and moves

    def begin_unit(self, **options):
        game = self.begin("game/entities?e=" + self.UNIT, **options)
        self.one(".panel .component")
        return game

    def write(self, path, text):
        self.type_into(f".panel input[type=text]{label(path)}", text, Keys.ENTER)

    def test_values_move_and_one_in_edit_does_not(self):
        self.begin_unit()
        before = self.value("Position.at.y")
        self.await_that(lambda: self.value("Position.at.y") != before, "a value that moves")
        self.type_into(label("Position.at.y"), "12")
        other = self.value("Position.at.x")
        self.await_that(lambda: self.value("Position.at.x") != other, "the other value moves on")
        self.assertEqual(self.value("Position.at.y"), "12")
        self.keys(Keys.ESCAPE)
        self.await_that(lambda: self.value("Position.at.y") != "12", "what the game has, not what was typed")

    def test_ins_71_each_kind_of_editor_writes(self):
        self.begin_unit()
        self.write("Health.armour", "-0.25")
        self.await_that(lambda: self.value("Health.armour") == "-0.25", "a number")
        self.write("Health.armour", "NaN")
        self.await_that(lambda: self.value("Health.armour") == "NaN", "NaN")
        self.write("Kit.ammunition[1]", "65535")
        self.await_that(lambda: self.value("Kit.ammunition[1]") == "65535", "an element")
        self.write("Kit.serial", "9223372036854775807")
        self.await_that(lambda: self.value("Kit.serial") == "9223372036854775807", "all digits")
        self.write("Name.value", "<img src=x>")
        self.await_text("<img src=x>", ".panel h2")
        self.choose(label("Team.side"), "Green")
        self.await_text("Undo: Team.side", "#undo")
        self.assertEqual(self.value("Team.side"), "Green")
        self.click(label("Kit.is_loaded"))
        self.await_text("Undo: Kit.is_loaded", "#undo")
        self.await_that(lambda: not self.one(label("Kit.is_loaded")).is_selected(), "the box without a tick")
        self.assertNotIn("secret", self.text(".panel"))
        self.assertEqual(self.all(label("Kit.made")), [])  # read-only by its schema
        self.assertEqual(self.all("img"), [])

    def test_ins_71_a_refusal_stands_at_the_field(self):
        self.begin_unit()
        self.write("Health.points", "101")
        self.await_text("outside of its range, 0 to 100", ".refused")
        self.assertEqual(self.value("Health.points"), "101")  # what was typed is still there
        self.click(".refused .link")
        self.keys(Keys.ESCAPE)
        self.await_that(lambda: self.value("Health.points") == "101", "a number out of range, forced")
        self.write("Health.points", "many")
        self.await_text("An integer is expected", ".refused")
        self.keys(Keys.ESCAPE)
        self.await_that(lambda: not self.all(".refused"), "no refusal")
        self.write("Kit.tag", "far too long for it")
        self.await_that(lambda: self.text(".refused"), "a refusal of the game")

    def test_ins_71_a_slider_writes_by_keyboard(self):
        self.begin_unit()
        slider = label("Health.points, slider")
        before = int(self.value("Health.points"))
        self.one(slider)
        self.assertEqual(self.text(".slider").split(), ["0", "100"])
        self.script("document.querySelector(arguments[0]).focus()", slider)
        self.keys(Keys.ARROW_LEFT)
        self.await_that(lambda: self.value("Health.points") == str(before - 1), "one less")

    def test_ins_68_each_change_is_undone(self):
        self.begin_unit()
        first = self.value("Name.value")
        self.write("Name.value", "ann")
        self.await_text("ann", ".panel h2")
        self.click(label("Remove Velocity"))
        self.await_that(lambda: not self.all("[data-component=Velocity]"), "no velocity")
        self.choose("#add-component", "Target")
        self.one("[data-component=Target]")
        self.script("document.activeElement.blur()")
        self.keys("u")
        self.await_that(lambda: not self.all("[data-component=Target]"), "no target")
        self.keys("u")
        self.one("[data-component=Velocity]")
        self.assertEqual(self.value("Velocity.y"), "1.5")
        self.keys("u")
        self.await_text(first, ".panel h2")

    def test_an_entity_is_cloned_and_destroyed(self):
        self.begin_unit()
        self.click("#clone")
        self.await_text("1002:1001", ".panel h2")
        self.click("#destroy")
        self.await_text("its handle does not come back", "#destroy")
        self.click("#destroy")
        self.await_text("It was destroyed", ".panel")
        self.assertEqual(self.all(".panel .editor"), [])

    def test_why_an_entity_is_in_no_group(self):
        self.begin_unit()
        self.click("#groups .chip.on")
        self.await_text("Yes: it meets all rules of", ".rules")
        self.browser.get(self.browser.current_url.split("#")[0] + "#/game/entities?e=2:1")
        self.await_text("unit 0", ".panel h2")
        self.await_that(lambda: [chip for chip in self.all("#groups .chip") if "movers" in chip.text][0].click() is None,
                        "the chip of movers")
        self.await_text("it has Frozen, which movers excludes", ".rules")
        self.await_text("written by", ".panel")

    def test_systems_that_do_not_visit_an_entity_do_not_write_it(self):
        self.begin("game/entities?e=3:2")
        self.await_text("written by Move", ".panel")
        self.await_text("may be written by Strike", ".panel")
        self.ask("components.add", context="game", entity="3:2", component="Frozen")
        self.await_that(lambda: "Move" not in self.text(".panel"), "no system of the group that it left")
        self.assertIn("may be written by Strike", self.text(".panel"))

    def test_flags_stand_in_line_with_other_components(self):
        self.begin("game/entities?e=2:1")
        self.await_text("Frozen", ".panel")
        lefts = self.script("""return ['Health', 'Frozen'].map(name => {
            const range = document.createRange();
            const text = [...document.querySelector(`[data-component=${name}] .fold`).childNodes].find(node => node.nodeType === 3);
            range.selectNodeContents(text);
            return range.getBoundingClientRect().left;
        })""")
        self.assertAlmostEqual(lefts[0], lefts[1], delta=1)

    def test_ins_72_read_only_shows_no_editor(self):
        self.begin_unit(inspect="read")
        self.await_text("read only", ".bar")
        self.assertEqual(self.all(".panel .editor, #pause, #create, #clone, #destroy, #add-component"), [])
        self.await_text("unit 4", ".panel")

    def test_a_blueprint_makes_an_entity(self):
        self.begin()
        self.one("#create")
        self.choose("#create", "Recruit")
        self.await_text("1002:", ".panel h2")
        self.await_that(lambda: self.value("Team.side") == "Blue", "the value of the blueprint")
