# The inspector's page in a browser, with games of its own. Apart from `check`, as it needs chromium.

PAGE_GAME := $(BUILD)/inspector-page/skirmish
PAGE_GAMES := $(PAGE_GAME) $(BUILD)/inspector-page/colony
PAGE_GENERATED := $(BUILD)/inspector-page/generated
DEBIAN_PAGE_PACKAGES := chromium chromium-driver python3-selenium

$(PAGE_GAMES): $(BUILD)/inspector-page/%: tests/inspector/browser/%.c tests/inspector/browser/%.yaml $(KIN) \
		$(if $(INSPECT_MISSING),,$(BUILD)/lib/libkin-inspect.a) $(BUILD)/lib/libkin.a
	$(Q)$(KIN) generate -q -o $(PAGE_GENERATED) tests/inspector/browser/$*.yaml
	$(call say,LINK)
	$(Q)$(COMPILE) -D_XOPEN_SOURCE=700 -Iruntime/include -Iinspector/include -I$(PAGE_GENERATED) $< \
		$(PAGE_GENERATED)/$*/*.c $(BUILD)/lib/libkin-inspect.a $(BUILD)/lib/libkin.a $(INSPECT_LINKED) -lm -o $@

# A game that watches content, in a folder that the test makes.
PAGE_FORTRESS := $(BUILD)/inspector-page/fortress
$(PAGE_FORTRESS): tests/inspector/browser/fortress.c tests/inspector/browser/fortress.yaml $(KIN) \
		$(if $(INSPECT_MISSING),,$(BUILD)/lib/libkin-inspect.a) $(BUILD)/lib/libkin-content-edit.a \
		$(BUILD)/lib/libkin-content.a $(BUILD)/lib/libkin.a
	$(Q)$(KIN) generate -q -o $(PAGE_GENERATED) tests/inspector/browser/fortress.yaml
	$(call say,LINK)
	$(Q)$(COMPILE) -D_XOPEN_SOURCE=700 -Iruntime/include -Iinspector/include -Icontent/include -I$(PAGE_GENERATED) $< \
		$(PAGE_GENERATED)/fortress/*.c $(filter %.a,$^) $(INSPECT_LINKED) -lyaml -lm -o $@

# A host and its replicas in a network.
PAGE_HARBOUR := $(BUILD)/inspector-page/harbour
$(PAGE_HARBOUR): tests/inspector/browser/harbour.c tests/inspector/browser/harbour.yaml $(KIN) \
		$(if $(INSPECT_MISSING),,$(BUILD)/lib/libkin-inspect.a) $(BUILD)/lib/libkin-net.a $(BUILD)/lib/libkin-save.a $(BUILD)/lib/libkin.a
	$(Q)$(KIN) generate -q -o $(PAGE_GENERATED) tests/inspector/browser/harbour.yaml
	$(call say,LINK)
	$(Q)$(COMPILE) -D_XOPEN_SOURCE=700 -Iruntime/include -Isave/include -Inet/include -Iinspector/include -I$(PAGE_GENERATED) $< \
		$(PAGE_GENERATED)/harbour/*.c $(filter %.a,$^) $(INSPECT_LINKED) -lzstd -lm -o $@

# The game of the examples, without its terminal.
PAGE_MATCH_ONE := $(BUILD)/inspector-page/match_one
PAGE_MATCH_ONE_OBJECTS = $(patsubst %,$(BUILD)/examples/match_one/%.o,$(filter-out main demo keys look play terminal view \
	print,$(basename $(notdir $(wildcard examples/match_one/*.c)))))

$(PAGE_MATCH_ONE): tests/inspector/browser/match_one.c $(PAGE_MATCH_ONE_OBJECTS) $(call objects_of,match_one) \
		$(if $(INSPECT_MISSING),,$(BUILD)/lib/libkin-inspect.a) $(BUILD)/lib/libkin.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(COMPILE) $(EXAMPLE_FLAGS) -Iinspector/include -Iexamples/match_one \
		$(filter %.c %.o %.a,$^) $(INSPECT_LINKED) -o $@

# Other examples; those with a main are included in one that has the inspector.
PAGE_EXAMPLES := $(addprefix $(BUILD)/inspector-page/,solar flock arena)
$(BUILD)/inspector-page/solar: $(BUILD)/examples/solar/sky.o $(call objects_of,solar)
$(BUILD)/inspector-page/flock: $(call objects_of,starlings) $(BUILD)/lib/libkin_pool.a
$(BUILD)/inspector-page/arena: $(BUILD)/examples/arena/simulation.o $(call objects_of,arena)

$(PAGE_EXAMPLES): $(BUILD)/inspector-page/%: tests/inspector/browser/%.c \
		$(if $(INSPECT_MISSING),,$(BUILD)/lib/libkin-inspect.a) $(BUILD)/lib/libkin.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(COMPILE) $(EXAMPLE_FLAGS) -Iinspector/include -Iexamples/$* $< $(filter %.o,$^) \
		$(filter %_pool.a,$^) $(filter %inspect.a,$^) $(BUILD)/lib/libkin.a $(INSPECT_LINKED) -lm -o $@

.PHONY: check-inspect-page deps-inspect inspect-picture
check-inspect-page: $(PAGE_GAMES) $(PAGE_FORTRESS) $(PAGE_HARBOUR) $(PAGE_MATCH_ONE) $(PAGE_EXAMPLES) ## Play the tests of the inspector's page in chromium (TESTS=test_query)
	@tests/inspector/browser/run.sh $(BUILD) $(TESTS)

inspect-picture: $(PAGE_GAME) ## Take the picture of the inspector that the manual shows, docs/images/inspector.png
	@KIN_PAGE_PICTURE=$(CURDIR)/docs/images/inspector.png tests/inspector/browser/run.sh $(BUILD) test_views.Picture

deps-inspect: ## Install the Debian packages that check-inspect-page needs
	@apt-get install -y --no-install-recommends $(DEBIAN_PAGE_PACKAGES)
