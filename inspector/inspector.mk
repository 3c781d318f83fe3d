# libkin-inspect, the library of the inspector: it uses libkin, libmicrohttpd, jansson and threads. Without their
# headers, `make` builds all else and says so. Tests use the checked build.

INSPECT_HEADERS := microhttpd.h jansson.h
PACKAGE_OF_microhttpd.h := libmicrohttpd-dev
PACKAGE_OF_jansson.h := libjansson-dev
INSPECT_PACKAGES := $(foreach header,$(INSPECT_HEADERS),$(PACKAGE_OF_$(header)))
INSPECT_LINKED := -lmicrohttpd -ljansson -pthread
INSPECT_MISSING := $(strip $(foreach header,$(INSPECT_HEADERS),$(shell echo '$(hash)include <$(header)>' | \
	$(CC) -E -x c - > /dev/null 2>&1 || echo $(header))))

# kin-inspect, the terminal's side, is a program of its own, which needs libcurl.
INSPECT_COMMAND_SOURCES := $(wildcard inspector/src/command/*.c)
INSPECT_TEXT_SOURCES := $(wildcard inspector/src/text/*.c)
INSPECT_COMMAND := $(BUILD)/bin/kin-inspect
CURL_MISSING := $(shell echo '$(hash)include <curl/curl.h>' | $(CC) -E -x c - > /dev/null 2>&1 || echo curl/curl.h)

INSPECT_SOURCES := $(filter-out $(INSPECT_COMMAND_SOURCES),$(wildcard inspector/src/*/*.c))
INSPECT_OBJECTS := $(call room_objects,$(INSPECT_SOURCES)) $(BUILD)/inspector-page/files.o
CHECKED_INSPECT_OBJECTS := $(if $(INSPECT_MISSING),,$(call room_objects,$(INSPECT_SOURCES),checked/) \
	$(BUILD)/inspector-page/files.o)
INSPECT_FLAGS := -D_GNU_SOURCE -Iruntime/include -Iruntime/src -Iinspector/include -Iinspector/src -fPIC \
	-fvisibility=hidden -pthread
INSPECT_LIBRARIES := $(BUILD)/lib/libkin-inspect.a $(BUILD)/lib/libkin-inspect.so
INSPECT_SONAME := $(SONAME:libkin.so.%=libkin-inspect.so.%)

$(BUILD)/needed/inspect:
	@mkdir -p $(@D)
	@$(foreach header,$(INSPECT_HEADERS),$(call needs_header,$(header),$(INSPECT_PACKAGES));)
	@touch $@

$(BUILD)/inspector/%.o: inspector/%.c | $(BUILD)/needed/inspect
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(if $(findstring inspector/src/command,$@),$(LESS_OPTIMIZED),-DNDEBUG) $(INSPECT_FLAGS) -c $< -o $@

$(BUILD)/checked/inspector/%.o: inspector/%.c | $(BUILD)/needed/inspect
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(COMPILE) $(INSPECT_FLAGS) -DKIN_CHECKED -c $< -o $@

# The browser's page, in the library.
PAGE_FILES := inspector/page/index.html $(wildcard inspector/page/*.css inspector/page/*.js inspector/page/*.svg \
	inspector/page/vendor/*.js inspector/page/vendor/*.css)

$(BUILD)/inspector-page/files.c: $(PAGE_FILES) inspector/embed.sh
	@mkdir -p $(@D)
	@$(call needs,gzip,gzip)
	$(Q)inspector/embed.sh inspector/page $(PAGE_FILES) > $@.new && mv $@.new $@

$(BUILD)/inspector-page/files.o: $(BUILD)/inspector-page/files.c | $(BUILD)/needed/inspect
	$(call say,CC)
	$(Q)$(COMPILE) $(LESS_OPTIMIZED) $(INSPECT_FLAGS) -DNDEBUG -c $< -o $@

.PHONY: inspect
inspect: $(INSPECT_LIBRARIES) $(INSPECT_COMMAND) ## Build libkin-inspect and kin-inspect, with libmicrohttpd, jansson and libcurl

all: $(if $(INSPECT_MISSING),,$(INSPECT_LIBRARIES) $(if $(CURL_MISSING),,$(INSPECT_COMMAND)))

$(BUILD)/lib/libkin-inspect.a: $(INSPECT_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

$(BUILD)/lib/libkin-inspect.so: $(INSPECT_OBJECTS) $(BUILD)/lib/libkin.so
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,$(INSPECT_SONAME) $(INSPECT_OBJECTS) -L$(BUILD)/lib -lkin $(INSPECT_LINKED) \
		-o $(BUILD)/lib/$(INSPECT_SONAME)
	@ln -sf $(INSPECT_SONAME) $@

$(BUILD)/needed/inspect-command: $(BUILD)/needed/inspect
	@$(call needs_header,curl/curl.h,libcurl4-openssl-dev)
	@touch $@

$(call room_objects,$(INSPECT_COMMAND_SOURCES)): | $(BUILD)/needed/inspect-command

$(INSPECT_COMMAND): $(call room_objects,$(INSPECT_COMMAND_SOURCES)) $(call room_objects,$(INSPECT_TEXT_SOURCES))
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -lcurl -ljansson -o $@

INSTALLED_INSPECT = $(BUILD)/lib/libkin-inspect.a:$(LIBDIR)
INSTALLED_INSPECT_PROGRAMS = $(BUILD)/lib/$(INSPECT_SONAME):$(LIBDIR)
