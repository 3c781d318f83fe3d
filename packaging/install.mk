# Installing, and the three forms of distribution: a tarball, Debian packages and one pair of files.

##@ Installing

PREFIX ?= /usr/local
DESTDIR ?=
# The folders below PREFIX.
LIBDIR ?= lib

# Installed files name the folders below PREFIX; the build folder has the same files for a kin that is not installed.
fill = sed -e 's|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@SONAME@|$(SONAME)|' \
	-e 's|@UP@|$(call up_from,$(patsubst %.pc,pkgconfig,$(filter %.pc,$(notdir $(2)))))|' $(1) > $(2)
# From the folder of a file of pkg-config or of CMake, which is below LIBDIR, to PREFIX: the installed tree can be moved.
up_from = $(shell echo $(LIBDIR)/$(or $(1),cmake/kin) | sed 's|[^/][^/]*|..|g')

$(BUILD)/include/kin.mk: packaging/kin.mk.in
	@mkdir -p $(@D)
	@ln -sfn '$(CURDIR)/runtime/include/kin' $(@D)/kin
	@sed 's|@LIBDIR@|lib|' $< > $@
	@echo "KIN_CPPFLAGS += -I'$(CURDIR)/content/include'" >> $@

# Each entry is file:folder below PREFIX. The headers of all libraries are among them: each package has one that includes
# those of saves, and a program with -DKIN_NO_INSPECT needs only the header of the inspector.
HEADER_FOLDERS := $(addsuffix /include/kin,runtime save net nats enet pool content inspector)
INSTALLED_PROGRAMS := $(KIN):bin $(BUILD)/lib/$(SONAME):$(LIBDIR)
INSTALLED_FILES := $(BUILD)/lib/libkin.a:$(LIBDIR) $(BUILD)/lib/libkin_pool.a:$(LIBDIR) $(BUILD)/lib/libkin-content.a:$(LIBDIR) \
	$(patsubst %,%:include/kin,$(wildcard $(HEADER_FOLDERS:%=%/*.h) $(HEADER_FOLDERS:%=%/*.hpp))) \
	$(patsubst %,%:include/kin/generated,$(wildcard $(HEADER_FOLDERS:%=%/generated/*.h))) \
	$(patsubst %,%:share/kin/templates,$(TEMPLATE_FILES) $(TEMPLATES_templates_cpp)) \
	$(patsubst %,%:share/kin,$(wildcard schemas/kin.schema.json)) runtime/gdb/kin_gdb.py:share/kin \
	docs/kin.1:share/man/man1 docs/kin-schema.5:share/man/man5
# Written at their places, so that installing as root leaves no file of root in $(BUILD): the templates of packaging/,
# filled in, and completions under the names that shells search.
INSTALLED_FILLED := kin.pc:$(LIBDIR)/pkgconfig kin-static.pc:$(LIBDIR)/pkgconfig kin-pool.pc:$(LIBDIR)/pkgconfig kin-content.pc:$(LIBDIR)/pkgconfig \
	kin.mk:include kin-config.cmake:$(LIBDIR)/cmake/kin kin-config-version.cmake:$(LIBDIR)/cmake/kin
# Each is name:folder:target.
INSTALLED_LINKS := libkin.so:$(LIBDIR):$(SONAME)

# What could not be built is left out, in one sentence, which `make` says too. `uninstall` removes all.
UNINSTALLED := $(INSTALLED_CONTENT_EDIT) kin-content-edit.pc:$(LIBDIR)/pkgconfig $(INSTALLED_SAVE) $(INSTALLED_NET) $(INSTALLED_NATS) $(INSTALLED_ENET) $(INSTALLED_INSPECT) $(INSTALLED_INSPECT_PROGRAMS) $(INSPECT_COMMAND):bin \
	docs/kin-inspect.1:share/man/man1 $(NET_COMMAND):bin docs/kin-net.1:share/man/man1 kin-save.pc:$(LIBDIR)/pkgconfig kin-net.pc:$(LIBDIR)/pkgconfig kin-nats.pc:$(LIBDIR)/pkgconfig kin-enet.pc:$(LIBDIR)/pkgconfig kin-inspect.pc:$(LIBDIR)/pkgconfig libkin-inspect.so:$(LIBDIR)
ifneq ($(HAS_YAML),)
INSTALLED_FILES += $(INSTALLED_CONTENT_EDIT)
INSTALLED_FILLED += kin-content-edit.pc:$(LIBDIR)/pkgconfig
else
LEFT_OUT += libkin-content-edit, which needs libyaml-dev;
endif
ifneq ($(HAS_ZSTD),)
INSTALLED_FILES += $(INSTALLED_SAVE) $(INSTALLED_NET)
INSTALLED_FILLED += kin-save.pc:$(LIBDIR)/pkgconfig kin-net.pc:$(LIBDIR)/pkgconfig
else
LEFT_OUT += libkin-save and libkin-net, which need libzstd-dev;
endif
ifeq ($(NATS_MISSING),)
INSTALLED_FILES += $(INSTALLED_NATS) docs/kin-net.1:share/man/man1
INSTALLED_PROGRAMS += $(NET_COMMAND):bin
INSTALLED_FILLED += kin-nats.pc:$(LIBDIR)/pkgconfig
else
LEFT_OUT += libkin-nats and kin-net, which need $(NATS_MISSING);
endif
ifeq ($(ENET_MISSING),)
INSTALLED_FILES += $(INSTALLED_ENET)
INSTALLED_FILLED += kin-enet.pc:$(LIBDIR)/pkgconfig
else
LEFT_OUT += libkin-enet, which needs $(ENET_MISSING);
endif
ifeq ($(INSPECT_MISSING),)
INSTALLED_FILES += $(INSTALLED_INSPECT)
INSTALLED_PROGRAMS += $(INSTALLED_INSPECT_PROGRAMS)
INSTALLED_FILLED += kin-inspect.pc:$(LIBDIR)/pkgconfig
INSTALLED_LINKS += libkin-inspect.so:$(LIBDIR):$(INSPECT_SONAME)
else
LEFT_OUT += libkin-inspect, which needs $(PACKAGE_OF_$(firstword $(INSPECT_MISSING)))$(foreach header,$(wordlist 2,9,$(INSPECT_MISSING)), and $(PACKAGE_OF_$(header)));
endif
ifeq ($(INSPECT_MISSING)$(CURL_MISSING),)
INSTALLED_PROGRAMS += $(INSPECT_COMMAND):bin
INSTALLED_FILES += docs/kin-inspect.1:share/man/man1
else
LEFT_OUT += kin-inspect, which needs $(if $(CURL_MISSING),libcurl4-openssl-dev,libkin-inspect);
endif
say_left_out = $(if $(LEFT_OUT),echo 'Left out: $(LEFT_OUT)' | sed 's/;$$/./',:)

.PHONY: say-left-out
all: say-left-out
say-left-out:
	@$(if $(filter install,$(MAKECMDGOALS)),:,$(say_left_out))

COMPLETION_bash := kin:share/bash-completion/completions
COMPLETION_zsh := _kin:share/zsh/site-functions
COMPLETION_fish := kin.fish:share/fish/vendor_completions.d
INSTALLED := $(INSTALLED_PROGRAMS) $(INSTALLED_FILES) $(INSTALLED_FILLED) $(COMPLETION_bash) $(COMPLETION_zsh) \
	$(COMPLETION_fish)

# The folders that only Kin uses, inner ones first.
INSTALLED_FOLDERS := include/kin/generated include/kin $(LIBDIR)/cmake/kin share/kin/templates share/kin

file_of = $(firstword $(subst :, ,$(1)))
# Quoted for a shell, as PREFIX may have any character.
quoted = '$(subst ','\'',$(1))'
folder_of = $(call quoted,$(DESTDIR)$(PREFIX)/$(lastword $(subst :, ,$(1))))
place_of = $(call folder_of,$(1))/$(notdir $(call file_of,$(1)))
install_each = @set -e; $(foreach each,$(2),install -m $(1) $(call file_of,$(each)) $(call folder_of,$(each));)

.PHONY: install uninstall
install: all ## Install all that could be built, and the files that builds need (PREFIX, DESTDIR)
	@mkdir -p $(foreach folder,$(sort $(foreach each,$(INSTALLED),$(lastword $(subst :, ,$(each))))),$(call folder_of,$(folder)))
	$(call install_each,755,$(INSTALLED_PROGRAMS))
	$(call install_each,644,$(INSTALLED_FILES))
	@set -e; umask 022; $(foreach each,$(INSTALLED_FILLED),$(call fill,packaging/$(call file_of,$(each)).in,$(call place_of,$(each)));)
	@set -e; umask 022; $(foreach each,bash zsh fish,$(KIN) completion $(each) > $(call place_of,$(COMPLETION_$(each)));)
	@set -e; $(foreach each,$(INSTALLED_LINKS),ln -sf $(lastword $(subst :, ,$(each))) $(call folder_of,$(word 2,$(subst :, ,$(each))))/$(call file_of,$(each));)
	@printf '%s\n' "Kin $(VERSION) is installed in "$(call quoted,$(DESTDIR)$(PREFIX))"."
	@$(say_left_out)
	@$(if $(DESTDIR),,$(if $(filter /usr /usr/local,$(PREFIX)),[ "$$(id -u)" != 0 ] || ldconfig || true)) # so that programs find the library at once

# Folders that only had files of Kin are empty then, and are removed too; folders of others stay.
uninstall: ## Remove the installed files (PREFIX, DESTDIR)
	@rm -f $(foreach each,$(INSTALLED) $(UNINSTALLED) libkin.so:$(LIBDIR),$(call place_of,$(each)))
	@cd $(call quoted,$(DESTDIR)$(PREFIX)) 2> /dev/null || exit 0; \
		$(if $(filter /usr /usr/local,$(PREFIX)),rmdir $(INSTALLED_FOLDERS),rmdir -p $(sort $(foreach each,$\
			$(INSTALLED),$(lastword $(subst :, ,$(each))))) 2> /dev/null; \
		place=$$PWD && cd / && rmdir "$$place") 2> /dev/null || true

##@ Distribution

.PHONY: dist deb vsix amalgamation

# The files of the last commit, with its time: the same bytes each time.
DIST := $(BUILD)/kin-$(VERSION).tar.gz
dist: ## Pack what git tracks into build/kin-VERSION.tar.gz
	@$(call needs,git,git)
	@mkdir -p $(BUILD)
	@rm -f $(BUILD)/kin-*.tar.gz
	@git archive --format=tar --prefix=kin-$(VERSION)/ -o $(DIST:.gz=) HEAD
	@gzip -9nf $(DIST:.gz=)
	@echo "wrote $(DIST)"

# Of the last commit, with its own flags: the same bytes each time. The variables of this make are not those of the package.
DEB := $(BUILD)/deb
DEB_VERSION = $(shell sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)
deb: ## Make the Debian packages of the last commit, build/deb/*.deb
	@$(call needs,git,git)
	@$(call needs,dpkg-buildpackage,dpkg-dev)
	@$(call needs,dh,debhelper)
	@$(if $(filter $(VERSION),$(DEB_VERSION)),:,echo 'debian/changelog has $(DEB_VERSION)$(comma) but this is $(VERSION)' >&2; exit 1)
	@rm -rf $(DEB)
	@mkdir -p $(DEB)
	@git archive --format=tar --prefix=kin-$(VERSION)/ HEAD | tar -xf - -C $(DEB)
	@cd $(DEB)/kin-$(VERSION) && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u BUILD -u PREFIX -u DESTDIR -u LIBDIR -u CC -u CFLAGS \
		dpkg-buildpackage -b -us -uc -jauto > ../log 2>&1 || { tail -n 20 ../log >&2; exit 1; }
	@rm -rf $(DEB)/kin-$(VERSION)
	@for file in $(DEB)/*.deb; do echo "wrote $$file"; done

# The folder is named kin because generated code includes <kin/kin.h>.
AMALGAMATION := $(BUILD)/amalgamation/kin
amalgamation: $(AMALGAMATION)/kin.h $(AMALGAMATION)/kin.c ## Make the runtime one pair of files to copy, build/amalgamation/kin/kin.h and kin.c

# Each public header is there: those of the runtime include kin.h, those of the other libraries are as they are.
FORWARDED := $(patsubst runtime/include/kin/%,$(AMALGAMATION)/%,$(filter-out %/kin.h,$(wildcard runtime/include/kin/*.h \
	runtime/include/kin/generated/*.h)))
COPIED := $(foreach library,save net nats enet pool content inspector,$(patsubst $(library)/include/kin/%,$(AMALGAMATION)/%,$\
	$(wildcard $(library)/include/kin/*.h $(library)/include/kin/generated/*.h)))
FACES := $(foreach library,runtime save pool content,$(wildcard $(library)/include/kin/*.hpp))
amalgamation: $(FORWARDED) $(COPIED) $(patsubst %,$(AMALGAMATION)/%,$(notdir $(FACES)))

$(FORWARDED): packaging/install.mk
	@mkdir -p $(@D)
	@echo '#include "$(if $(filter %/generated/,$(dir $@)),../)kin.h"' > $@

$(foreach library,save net nats enet pool content inspector,$(eval $(AMALGAMATION)/%.h: $(library)/include/kin/%.h ; @mkdir -p $$(@D) && cp $$< $$@))

$(foreach face,$(FACES),$(eval $(AMALGAMATION)/$(notdir $(face)): $(face) ; @mkdir -p $$(@D) && cp $$< $$@))

AMALGAMATE = awk -v version=$(VERSION) -f packaging/names.awk -f packaging/amalgamate.awk runtime/include/kin/kin.h

$(AMALGAMATION)/kin.h: packaging/amalgamate.awk packaging/names.awk $(wildcard runtime/include/kin/*.h runtime/include/kin/generated/*.h)
	@mkdir -p $(@D)
	$(call say,JOIN)
	@$(AMALGAMATE) > $@

$(AMALGAMATION)/kin.c: packaging/amalgamate.awk packaging/names.awk $(wildcard runtime/include/kin/*.h runtime/include/kin/generated/*.h runtime/src/*/*.[ch])
	@mkdir -p $(@D)
	$(call say,JOIN)
	@$(AMALGAMATE) $(sort $(wildcard runtime/src/*/*.[ch])) > $@

# The extension of VS Code, with the client of the protocol in it, so that it is installed without a network. It is
# bundled by esbuild and packed by vsce, the tool of VS Code itself; both come from npm.
VSIX := $(BUILD)/kin-$(VERSION).vsix
vsix: ## Make the extension of VS Code, build/kin-VERSION.vsix, with node and npm
	@$(call needs,npm,npm)
	@mkdir -p $(BUILD)/vsix
	@cp -r packaging/vscode/. LICENSE $(BUILD)/vsix
	@cd $(BUILD)/vsix && npm ci --silent --no-audit --no-fund > npm.log 2>&1 || { tail -n 20 npm.log >&2; exit 1; }
	@cd $(BUILD)/vsix && npm run --silent bundle -- --log-level=warning
	@cd $(BUILD)/vsix && npm run --silent package -- -o $(abspath $(VSIX)) > npm.log 2>&1 || { tail -n 20 npm.log >&2; exit 1; }
	@echo "wrote $(VSIX); install it with: code --install-extension $(VSIX)"
