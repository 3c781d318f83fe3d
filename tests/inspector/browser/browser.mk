# The inspector's page in a browser, with a game of its own. Apart from `check`, as it needs chromium.

PAGE_GAME := $(BUILD)/inspector-page/skirmish
PAGE_GENERATED := $(BUILD)/inspector-page/generated
DEBIAN_PAGE_PACKAGES := chromium chromium-driver python3-selenium

$(PAGE_GAME): tests/inspector/browser/skirmish.c tests/inspector/browser/skirmish.yaml $(KIN) \
		$(if $(INSPECT_MISSING),,$(BUILD)/lib/libkin-inspect.a) $(BUILD)/lib/libkin.a
	$(Q)$(KIN) generate -q -o $(PAGE_GENERATED) tests/inspector/browser/skirmish.yaml
	$(call say,LINK)
	$(Q)$(COMPILE) -D_XOPEN_SOURCE=700 -Iruntime/include -Iinspector/include -I$(PAGE_GENERATED) $< \
		$(PAGE_GENERATED)/skirmish/*.c $(BUILD)/lib/libkin-inspect.a $(BUILD)/lib/libkin.a $(INSPECT_LINKED) -o $@

.PHONY: check-inspect-page deps-inspect inspect-picture
check-inspect-page: $(PAGE_GAME) ## Play the tests of the inspector's page in chromium (TESTS=test_query)
	@tests/inspector/browser/run.sh $(BUILD) $(TESTS)

inspect-picture: $(PAGE_GAME) ## Take the picture of the inspector that the manual shows, docs/images/inspector.png
	@KIN_PAGE_PICTURE=$(CURDIR)/docs/images/inspector.png tests/inspector/browser/run.sh $(BUILD) test_views.Picture

deps-inspect: ## Install the Debian packages that check-inspect-page needs
	@apt-get install -y --no-install-recommends $(DEBIAN_PAGE_PACKAGES)
