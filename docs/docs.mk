# How the manual and the API reference are made.

##@ Documentation

PANDOC ?= pandoc
DOXYGEN ?= doxygen
DOCS ?= $(BUILD)/docs
DOCS_PAGES := $(patsubst docs/%.md,%,$(filter-out docs/README.md,$(wildcard docs/*.md)))
to_html = $(PANDOC) -f gfm -t html5 -s --lua-filter docs/html/links.lua --metadata pagetitle='Kin: $(1)' -c style.css \
	$(2) -o $(DOCS)/$(1).html

.PHONY: docs docs-api
docs: ## Make HTML of the manual, in build/docs, with pandoc
	@$(call needs,$(PANDOC),pandoc)
	@mkdir -p $(DOCS)
	@cp -r docs/html/style.css docs/images $(DOCS)
	@$(foreach page,$(DOCS_PAGES),$(call to_html,$(page),docs/$(page).md) &&) \
		$(call to_html,index,docs/README.md) && $(call to_html,readme,README.md)
	@echo "The manual is in $(DOCS)/index.html."

docs-api: ## Make the API reference, in build/docs/api, with doxygen; a missing description is an error
	@$(call needs,$(DOXYGEN),doxygen)
	@mkdir -p $(DOCS)/api
	@(cat docs/html/Doxyfile; echo 'OUTPUT_DIRECTORY = $(DOCS)/api') | $(DOXYGEN) -
	@echo "The API reference is in $(DOCS)/api/index.html."
