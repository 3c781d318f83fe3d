# Editors that talk to `kin lsp`. The extension of VS Code is made in packaging/install.mk.

##@ Editors

DEBIAN_EDITOR_PACKAGES := neovim nodejs npm

.PHONY: deps-editors
deps-editors: ## Install the Debian packages that the tests of editors need
	@apt-get install -y --no-install-recommends $(DEBIAN_EDITOR_PACKAGES)
