# What is installed and where, and the three things to hand on: a tarball, a Debian package and one pair of files.

##@ Installing

PREFIX ?= /usr/local
DESTDIR ?=
# Below PREFIX.
LIBDIR ?= lib

# Where what is installed says where it is, and where a kin that was only built has the same.
FILLED := $(BUILD)/packaging
fill = sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@SONAME@|$(SONAME)|' \
	-e 's|@UP@|$(shell echo $(LIBDIR)/cmake/kin | sed 's|[^/][^/]*|..|g')|' $(1) > $(2)

$(BUILD)/include/kin.mk: packaging/kin.mk.in
	@mkdir -p $(@D)
	@ln -sfn $(CURDIR)/runtime/include/kin $(@D)/kin
	@sed 's|@LIBDIR@|lib|' $< > $@

$(FILLED)/%: packaging/%.in FORCE
	@mkdir -p $(@D)
	@$(call fill,$<,$@)

# Under the names by which shells look for them.
COMPLETIONS := $(FILLED)/bash/kin $(FILLED)/zsh/_kin $(FILLED)/fish/kin.fish
$(COMPLETIONS): $(KIN)
	@mkdir -p $(@D)
	@$(KIN) completion $(notdir $(@D)) > $@

# file:folder below PREFIX.
INSTALLED_PROGRAMS := $(KIN):bin $(BUILD)/lib/$(SONAME):$(LIBDIR)
INSTALLED_FILES := $(BUILD)/lib/libkin.a:$(LIBDIR) $(FILLED)/kin.pc:$(LIBDIR)/pkgconfig $(FILLED)/kin.mk:include \
	$(FILLED)/kin-config.cmake:$(LIBDIR)/cmake/kin $(FILLED)/kin-config-version.cmake:$(LIBDIR)/cmake/kin \
	$(patsubst %,%:include/kin,$(wildcard runtime/include/kin/*.h)) \
	$(patsubst %,%:share/kin/templates,$(wildcard templates/*.mustache)) \
	$(patsubst %,%:share/kin,$(wildcard schemas/kin.schema.json)) runtime/gdb/kin_gdb.py:share/kin \
	docs/kin.1:share/man/man1 docs/kin-schema.5:share/man/man5 \
	$(join $(COMPLETIONS),:share/bash-completion/completions :share/zsh/site-functions :share/fish/vendor_completions.d)

# The folders that are Kin's alone, inner ones first.
INSTALLED_FOLDERS := include/kin $(LIBDIR)/cmake/kin share/kin/templates share/kin

file_of = $(firstword $(subst :, ,$(1)))
place_of = $(DESTDIR)$(PREFIX)/$(lastword $(subst :, ,$(1)))
places_of = $(foreach each,$(1),$(call place_of,$(each))/$(notdir $(call file_of,$(each))))
install_each = @set -e; $(foreach each,$(2),install -m $(1) $(call file_of,$(each)) $(call place_of,$(each));)

.PHONY: install uninstall
install: all $(filter $(FILLED)/%,$(foreach each,$(INSTALLED_FILES),$(call file_of,$(each)))) ## Install kin, the libraries and all that builds need (PREFIX, DESTDIR)
	@mkdir -p $(sort $(foreach each,$(INSTALLED_PROGRAMS) $(INSTALLED_FILES),$(call place_of,$(each))))
	$(call install_each,755,$(INSTALLED_PROGRAMS))
	$(call install_each,644,$(INSTALLED_FILES))
	@ln -sf $(SONAME) $(call place_of,$(LIBDIR))/libkin.so
	@echo "Kin $(VERSION) is installed in $(DESTDIR)$(PREFIX)."
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig || true; fi # so that programs find the library at once

uninstall: ## Remove what install put there (PREFIX, DESTDIR)
	@rm -f $(call places_of,$(INSTALLED_PROGRAMS) $(INSTALLED_FILES)) $(call place_of,$(LIBDIR))/libkin.so
	@for folder in $(INSTALLED_FOLDERS); do rmdir $(DESTDIR)$(PREFIX)/$$folder 2> /dev/null || true; done

##@ Handing it on

.PHONY: dist deb amalgamation

# What git has of the last commit, with its time: the same bytes each time.
DIST := $(BUILD)/kin-$(VERSION).tar.gz
dist: ## Pack what git tracks into build/kin-VERSION.tar.gz
	@git archive --format=tar --prefix=kin-$(VERSION)/ -o $(DIST:.gz=) HEAD
	@gzip -9nf $(DIST:.gz=)
	@echo "wrote $(DIST)"

deb: ## Make a Debian package of what install installs, build/kin_VERSION_ARCHITECTURE.deb
	@packaging/deb.sh '$(MAKE)' $(BUILD) $(VERSION)

# The folder's name is that of generated code, which includes <kin/kin.h>.
AMALGAMATION := $(BUILD)/amalgamation/kin
amalgamation: $(AMALGAMATION)/kin.h $(AMALGAMATION)/kin.c ## Make the runtime one pair of files to copy, build/amalgamation/kin/kin.h and kin.c
AMALGAMATE = awk -v version=$(VERSION) -f packaging/amalgamate.awk runtime/include/kin/kin.h

$(AMALGAMATION)/kin.h: packaging/amalgamate.awk $(wildcard runtime/include/kin/*.h)
	@mkdir -p $(@D)
	$(call say,JOIN)
	@$(AMALGAMATE) > $@

$(AMALGAMATION)/kin.c: packaging/amalgamate.awk $(wildcard runtime/include/kin/*.h runtime/src/*.[ch])
	@mkdir -p $(@D)
	$(call say,JOIN)
	@$(AMALGAMATE) $(sort $(wildcard runtime/src/*.[ch])) > $@
