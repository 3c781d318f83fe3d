# Editors that talk to `kin lsp`.

##@ Editors

DEBIAN_EDITOR_PACKAGES := neovim nodejs python3

VSIX := $(BUILD)/kin-$(VERSION).vsix

.PHONY: vsix deps-editors
vsix: ## Make the extension for VS Code, build/kin-VERSION.vsix; it installs without a network
	@$(call needs,python3,python3)
	@packaging/vscode/vsix.py $(VERSION) $(VSIX)

deps-editors: ## Install the Debian packages that the tests of editors need
	@apt-get install -y --no-install-recommends $(DEBIAN_EDITOR_PACKAGES)
