# How the site of the manual and the API reference are made.

##@ Documentation

MKDOCS ?= mkdocs
DOXYGEN ?= doxygen
DOCS ?= $(BUILD)/docs

.PHONY: docs docs-api
docs: ## Make a site of the manual and the API reference, in build/docs, with mkdocs-material and doxygen
	@$(call needs,$(MKDOCS),mkdocs-material)
	@$(call needs,$(DOXYGEN),doxygen)
	@PYTHONDONTWRITEBYTECODE=1 $(MKDOCS) build --quiet --strict -f docs/site/mkdocs.yml -d $(abspath $(DOCS))
	@$(MAKE) -s --no-print-directory docs-api
	@echo "The manual is in $(DOCS)/index.html."

docs-api: ## Make the API reference, in build/docs/api, with doxygen; a missing description is an error
	@$(call needs,$(DOXYGEN),doxygen)
	@mkdir -p $(DOCS)/api
	@(cat docs/site/Doxyfile; echo 'OUTPUT_DIRECTORY = $(DOCS)/api') | $(DOXYGEN) -
	@echo "The API reference is in $(DOCS)/api/index.html."
