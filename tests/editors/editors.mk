# Editors that talk to `kin lsp`. The extension of VS Code is made in packaging/install.mk.

##@ Editors

DEBIAN_EDITOR_PACKAGES := neovim nodejs xterm xvfb xdotool imagemagick

# Some packages of Node.js bring npm, and conflict with Debian's.
.PHONY: deps-editors editor-picture
deps-editors: ## Install the Debian packages that the tests of editors need
	@apt-get install -y --no-install-recommends $(DEBIAN_EDITOR_PACKAGES) $$(command -v npm > /dev/null || echo npm)

editor-picture: $(KIN) ## Take the picture of an editor that the manual shows, docs/images/editor.png
	@tests/editors/picture.sh $< docs/images/editor.png
