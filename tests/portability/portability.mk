# Kin with other compilers and on other machines. A target of the list is tested if a program of one line can be built
# for it and run; otherwise it is reported as skipped. Its variables:
#
#   NAME_NEEDS   the programs that it needs, each with its Debian packages: program=package,package
#   NAME_CC      the compiler with all its flags
#   NAME_LINK    additional flags for linking
#   NAME_SUFFIX  the suffix of programs
#   NAME_RUN     the program that runs programs; empty if they run directly
#   NAME_FILES   the source that stands for files, if libkin-save does not know the system
#   NAME_THREADS the source that stands for the pool of threads, if there are none
#   NAME_SHARED  the name of the shared library, if one is tested
#   NAME_WHOLE   the build folder, if kin and all tests with Check can be built
#
# Other targets have no Check, and kin is not built for them. They compile the generated code of this machine, the
# runtime with and without its checks, the suites of the runtime with the check.h of this folder, the games against the
# model, the saves of tests/saves, and the examples; the arena once more with the library in one file, which is also
# built as a shared library.

##@ Other machines

PORTABILITY ?= gcc clang x86_32 s390x powerpc mingw wasm
PORTABILITY_BUILD := $(BUILD)/portability
PORTABILITY_FLAGS ?= -O1

# The compiler of the build uses the build's own folder, so that nothing is built twice.
whole_of = $(if $(filter $(1),$(COMPILER_NAME)),$(BUILD),$(PORTABILITY_BUILD)/$(1))

gcc_NEEDS := gcc=gcc
gcc_CC := gcc
gcc_WHOLE = $(call whole_of,gcc)

clang_NEEDS := clang=clang
clang_CC := clang
clang_WHOLE = $(call whole_of,clang)

# 32 bits. Debian's gcc-multilib would also do, but conflicts with the compilers for other machines. Without SSE the
# x87 computes with more digits than the types have, so that distances and results of games differ.
x86_32_NEEDS := i686-linux-gnu-gcc=gcc-i686-linux-gnu,libc6-dev-i386-cross
x86_32_CC := $(or $(shell command -v i686-linux-gnu-gcc),$(CC) -m32) -msse2 -mfpmath=sse $(PORTABILITY_FLAGS)
x86_32_LINK := -static -pthread
x86_32_RUN := $(if $(filter x86_64 i%86,$(shell uname -m)),,qemu-i386)

# Big-endian, with 64 bits and with 32.
s390x_NEEDS := s390x-linux-gnu-gcc=gcc-s390x-linux-gnu,libc6-dev-s390x-cross qemu-s390x=qemu-user
s390x_CC := s390x-linux-gnu-gcc $(PORTABILITY_FLAGS)
s390x_LINK := -static -pthread
s390x_RUN := qemu-s390x

powerpc_NEEDS := powerpc-linux-gnu-gcc=gcc-powerpc-linux-gnu,libc6-dev-powerpc-cross qemu-ppc=qemu-user
powerpc_CC := powerpc-linux-gnu-gcc $(PORTABILITY_FLAGS)
powerpc_LINK := -static -pthread -latomic
powerpc_RUN := qemu-ppc

# Windows: long has 32 bits. Its macro isnan converts what it is given, which the compiler reports.
mingw_NEEDS := x86_64-w64-mingw32-gcc=gcc-mingw-w64-x86-64-win32 wine=wine,wine64
mingw_CC := x86_64-w64-mingw32-gcc $(PORTABILITY_FLAGS) -Wno-error=float-conversion
mingw_LINK := -static -pthread
mingw_SUFFIX := .exe
mingw_RUN := $(CURDIR)/tests/portability/wine.sh $(abspath $(PORTABILITY_BUILD)/mingw/disk)
mingw_SHARED := kin.dll
mingw_FILES := tests/portability/no_files.c

# WebAssembly, with 32 bits. The stack comes first, so that an overflow ends the program.
wasm_NEEDS := clang=clang,libclang-rt-dev-wasm32,wasi-libc wasm-ld=lld node=nodejs
wasm_CC := clang --target=wasm32-wasi $(PORTABILITY_FLAGS)
wasm_LINK := -Wl,--stack-first,-z,stack-size=8388608
wasm_SUFFIX := .wasm
wasm_FILES := tests/portability/no_files.c
wasm_THREADS := tests/portability/no_threads.c
wasm_RUN := node --no-warnings $(CURDIR)/tests/portability/wasi.mjs

# ---- The build for one target, PORTABLE

ifneq ($(PORTABLE),)
PORTABLE_BUILD := $(PORTABILITY_BUILD)/$(PORTABLE)
PORTABLE_COMPILE = $($(PORTABLE)_CC) -std=c17 $(WARNINGS) -MMD -MP
# Solar waits between its pictures, and rollback reads the clock, for which Windows has other functions. Networks and
# content are tested by programs of their own.
PORTABLE_EXAMPLES := $(filter-out solar rollback $(NETWORKED) $(WITH_CONTENT),$(EXAMPLES))
PORTABLE_PROGRAMS := $(patsubst %,$(PORTABLE_BUILD)/%$($(PORTABLE)_SUFFIX),check answers saves one_file $(PORTABLE_EXAMPLES))
portable = $(patsubst %.c,$(PORTABLE_BUILD)/%.o,$(1))
portable_objects_of = $(patsubst $(BUILD)/%,$(PORTABLE_BUILD)/%,$(call objects_of,$(1)))

PORTABLE_RUNTIME := $(call portable,$(RUNTIME_SOURCES))
PORTABLE_THREADS := $(call portable,$(or $($(PORTABLE)_THREADS),$(POOL_SOURCES) tests/threads/hostile.c))
PORTABLE_ONE_FILE := $(PORTABLE_BUILD)/$(or $($(PORTABLE)_SHARED),kin.o)
PORTABLE_TESTS := $(call portable,tests/main.c $(addprefix tests/portability/,check.c here.c small_stack.c stderr_of.c) \
	$(filter-out %/shrink.c %/small_stack.c %/stderr_of.c %_compile.c %/test_standby.c,$(wildcard tests/runtime/*/*.c tests/net/*.c tests/model/*.c tests/model/*/*.c))) \
	$(PORTABLE_THREADS)
# Without zstd, which is not there for most targets: files are not compressed.
PORTABLE_SAVE := $(call portable,$(filter-out $(if $($(PORTABLE)_FILES),save/src/file/path.c),$(SAVE_SOURCES)) \
	$($(PORTABLE)_FILES))
# The packages that only tests of files and content use.
FILE_PACKAGES := barracks guide mosaic oddity past present scout sequel
# Of Match-One only the demo, without the files that use ncurses.
PORTABLE_LEFT_OUT := $(addprefix examples/match_one/,keys.c look.c play.c player.c terminal.c view.c)
match_one_PORTABLE := $(call portable,tests/portability/no_terminal.c)
$(foreach example,$(THREADED),$(eval $(example)_PORTABLE := $(PORTABLE_THREADS)))

$(PORTABLE_BUILD)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(PORTABLE_COMPILE) -Itests/portability $(TEST_FLAGS) -Iexamples/match_one -DRUNTIME_ONLY -c $< -o $@

$(PORTABLE_BUILD)/checked/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(PORTABLE_COMPILE) -Iruntime/include -Iruntime/src -DKIN_CHECKED -c $< -o $@

$(PORTABLE_BUILD)/pool/%.o: pool/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(PORTABLE_COMPILE) $(POOL_FLAGS) -c $< -o $@

$(PORTABLE_BUILD)/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(PORTABLE_COMPILE) -Iruntime/include -Iruntime/src -DNDEBUG -c $< -o $@

$(PORTABLE_BUILD)/save/%.o: save/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(PORTABLE_COMPILE) -DKIN__WITHOUT_ZSTD -Iruntime/include -Iruntime/src -Isave/include -Isave/src \
		-DKIN_CHECKED -c $< -o $@

$(PORTABLE_BUILD)/net/%.o: net/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(PORTABLE_COMPILE) -Iruntime/include -Iruntime/src -Isave/include -Isave/src -Inet/include \
		-Inet/src -DKIN_CHECKED -c $< -o $@

$(PORTABLE_BUILD)/kin.o: $(addprefix $(BUILD)/amalgamation/kin/,kin.c kin.h)
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(PORTABLE_COMPILE) -Wshadow -DNDEBUG $(if $($(PORTABLE)_SHARED),-DKIN_SHARED) -c $< -o $@

$(PORTABLE_BUILD)/generated/%.o: $(GENERATED)/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(PORTABLE_COMPILE) -Wshadow -Iruntime/include -Isave/include -Inet/include -Itests -I$(GENERATED) -c $< -o $@

$(PORTABLE_BUILD)/examples/%.o: examples/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(PORTABLE_COMPILE) $(EXAMPLE_FLAGS) -c $< -o $@

$(PORTABLE_BUILD)/check$($(PORTABLE)_SUFFIX): $(PORTABLE_TESTS) $(RUNTIME_SOURCES:%.c=$(PORTABLE_BUILD)/checked/%.o) \
	$(PORTABLE_SAVE) $(call portable,$(NET_SOURCES)) \
	$(filter-out %_save.o,$(call portable_objects_of,$(filter-out $(FILE_PACKAGES),$(TEST_PACKAGES))))
$(PORTABLE_BUILD)/answers$($(PORTABLE)_SUFFIX): $(call portable,tests/portability/answers.c tests/runtime/support/play.c) \
	$(PORTABLE_RUNTIME) $(call portable_objects_of,cellar)
$(PORTABLE_BUILD)/saves$($(PORTABLE)_SUFFIX): $(call portable,$(addprefix tests/portability/,saves.c check.c opaque.c) \
	$(addprefix tests/save/,golden.c buffer.c past_case.c save_almanac.c save_archive.c)) $(PORTABLE_SAVE) \
	$(RUNTIME_SOURCES:%.c=$(PORTABLE_BUILD)/checked/%.o) $(call portable_objects_of,almanac archive past)
$(foreach example,$(PORTABLE_EXAMPLES),$(eval $(PORTABLE_BUILD)/$(example)$($(PORTABLE)_SUFFIX): $($(example)_PORTABLE) \
	$(call portable,$(filter-out $(PORTABLE_LEFT_OUT),$(wildcard examples/$(example)/*.c))) $(PORTABLE_RUNTIME) \
	$(call portable_objects_of,$(or $($(example)_PACKAGE),$(example)))))

$(PORTABLE_BUILD)/one_file$($(PORTABLE)_SUFFIX): $(call portable,$(wildcard examples/arena/*.c)) \
	$(call portable_objects_of,arena) $(PORTABLE_ONE_FILE)

$(addprefix $(PORTABLE_BUILD)/,$($(PORTABLE)_SHARED)): $(PORTABLE_BUILD)/kin.o
	$(call say,LINK)
	$(Q)$($(PORTABLE)_CC) -shared $^ $($(PORTABLE)_LINK) -o $@

$(PORTABLE_PROGRAMS):
	$(call say,LINK)
	$(Q)$($(PORTABLE)_CC) $^ $($(PORTABLE)_LINK) -lm -o $@

.PHONY: portable
portable: $(PORTABLE_PROGRAMS)
endif

# ---- All targets

# The expected output of the program answers.
$(PORTABILITY_BUILD)/answers: $(BUILD)/tests/portability/answers.o $(BUILD)/tests/runtime/support/play.o \
		$(call objects_of,cellar) $(BUILD)/lib/libkin.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $^ -o $@
	@$@ > $@.txt

# The targets for a compiler that can build everything.
.PHONY: whole
whole: $(KIN) $(TEST_PROGRAM) $(EXAMPLE_PROGRAMS) $(PORTABILITY_BUILD)/answers

.PHONY: check-portability deps-portability
check-portability: whole ## Run the tests with gcc and clang, on other machines, on Windows and in WebAssembly
	@BUILD=$(BUILD) MAKE='$(MAKE)' NOT_HERE='$(filter-out -examples -runtime_canary,$(NOT_VALGRIND))' tests/portability/check.sh $(foreach name,$(PORTABILITY),\
		'$(name)|$($(name)_NEEDS)|$($(name)_CC)|$($(name)_LINK)|$($(name)_SUFFIX)|$($(name)_RUN)|$($(name)_SHARED)|$\
		$($(name)_WHOLE)')

deps-portability: ## Install the Debian packages that check-portability needs for all its targets
	@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES='$(sort $(subst $(comma), ,$(foreach name,$(PORTABILITY),\
		$(foreach need,$($(name)_NEEDS),$(lastword $(subst =, ,$(need)))))))'
