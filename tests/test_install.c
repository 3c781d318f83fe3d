// Install: the results of `make install` and similar targets, used by projects outside of this tree (tests/install), in
// C and C++.
#include "generator/scratch.h"
#include "shell.h"
#include "suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Makes a target of this project, with the compiler and flags of the build.
static const char *make_here(const char *target)
{
    return shell_expect(scratch_arena(), arena_format(scratch_arena(), MAKE "-s %s BUILD='%s' CC='%s' CFLAGS='%s'",
                                                      target, shell_build(), shell_compiler(), shell_flags()));
}

// Runs in the scratch directory, with the compilers of the build, and the Kin that is installed in ./prefix, if any.
static const char *in_scratch(const char *command)
{
    const char *other = strstr(shell_compiler(), "clang") != NULL ? "clang++" : "g++";
    return shell_expect(
        scratch_arena(),
        arena_format(scratch_arena(),
                     "set -e; cd '%s'; export CC='%s' CXX=%s CFLAGS='%s' CXXFLAGS='%s' P=$PWD/prefix CMAKE_PREFIX_PATH="
                     "$PWD/prefix PKG_CONFIG_PATH=$PWD/prefix/lib/pkgconfig LD_LIBRARY_PATH=$PWD/prefix/lib\n%s",
                     scratch_path(""), shell_compiler(), other, shell_flags(), shell_flags(), command));
}

static void install(void)
{
    make_here(arena_format(scratch_arena(), "install PREFIX='%s'", scratch_path("prefix")));
}

// Copies a project: the files that all share, and its own.
static void copy_project(const char *name)
{
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(), "cp -rL tests/install '%s' && cp -rL tests/install/%s/. '%s'",
                              scratch_path("project"), name, scratch_path("project")));
}

static const struct {
    const char *name, *tool, *configure, *build, *program;
} projects[] = {
    {"make", "make", "true", MAKE "-I $P/include", "town"},
    {"make_cpp", "pkg-config", "true", MAKE, "town"},
    {"cmake", "cmake", "cmake -G 'Unix Makefiles' -B build", "cmake --build build", "build/town"},
    {"cmake_cpp", "cmake", "cmake -B build", "cmake --build build", "build/town"},
    {"meson", "meson", "meson setup build", "ninja -C build", "build/town"},
    {"meson_cpp", "meson", "meson setup build", "ninja -C build", "build/town"},
};

START_TEST(a_project_builds_once_gets_back_what_is_deleted_and_stops_at_a_fault)
{
    if (!shell_has(scratch_arena(), projects[_i].tool))
        return;
    install();
    copy_project(projects[_i].name);
    in_scratch(arena_format(scratch_arena(), "cd project; %s > log 2>&1 || { cat log; exit 1; }; ./consume.sh %s %s",
                            projects[_i].configure, projects[_i].program, projects[_i].build));
}
END_TEST

// The program of `kin init`, with a call that needs libkin-save.
static void make_saving_project(void)
{
    in_scratch("$P/bin/kin init town > log; cd town; sed -i '1a #include \"town/town_save.h\"' main.c\n"
               "sed -i 's/^    game_context_destroy(game);/    kin_snapshot *snapshot = NULL;\\n    game_save(game, "
               "\\&snapshot);\\n    town_write_path(snapshot, \"town.kin\", NULL);\\n    "
               "kin_snapshot_destroy(snapshot);\\n&/' main.c");
}

START_TEST(a_project_links_libkin_save_in_each_documented_way)
{
    install();
    make_saving_project();
    in_scratch("cd town; sed -i 's/(KIN_LIBS)/(KIN_SAVE_LIBS)/' Makefile; " MAKE
               "KIN=$P/bin/kin > log 2>&1 || { cat log; exit 1; }; $P/bin/kin dump town.kin > log");
    if (shell_has(scratch_arena(), "pkg-config"))
        in_scratch("cd town; rm town.kin; $CC $CFLAGS -Igenerated $(pkg-config --cflags kin-save) main.c "
                   "generated/town/*.c $(pkg-config --libs kin-save) -lm -o town; ./town > log; test -s town.kin");
    if (shell_has(scratch_arena(), "cmake"))
        in_scratch("cd town; rm town.kin; printf 'cmake_minimum_required(VERSION 3.18)\nproject(town C)\n"
                   "find_package(kin REQUIRED)\nadd_executable(town main.c)\n"
                   "kin_generate(TARGET town SCHEMA town.yaml)\ntarget_link_libraries(town PRIVATE kin::save m)\n' > "
                   "CMakeLists.txt; { cmake -B out && cmake --build out; } > log 2>&1 || { cat log; exit 1; }\n"
                   "out/town > log; test -s town.kin");
}
END_TEST

// The project of `kin init --content`, which watches its files if libkin-content-edit is linked, and says how many.
static void make_project_with_content(void)
{
    in_scratch("$P/bin/kin init --content walk > log; cd walk; sed -i '1a #include <kin/content_edit.h>' main.c\n"
               "sed -i 's/^    game_entity dog = .*/    kin_content_state state;\\n    kin_content_watch(content, "
               "\"content\", NULL);\\n    kin_content_report(content, \\&state);\\n    printf(\"%u files\\\\n\", "
               "(unsigned)state.file_count);\\n&/' main.c; grep -q '%u files' main.c");
}

// `targets`: what is linked; the program must say that it watches so many files.
static void build_with_cmake(const char *targets, const char *definition, int files)
{
    in_scratch(
        arena_format(scratch_arena(),
                     "cd walk; rm -rf out; printf 'cmake_minimum_required(VERSION 3.18)\nproject(walk C)\n"
                     "find_package(kin REQUIRED)\nadd_executable(walk main.c)\n"
                     "kin_generate(TARGET walk SCHEMA walk.yaml)\n"
                     "target_link_libraries(walk PRIVATE %s m)\ntarget_compile_definitions(walk PRIVATE %s)\n' "
                     "> CMakeLists.txt; { cmake -B out && cmake --build out; } > log 2>&1 || { cat log; exit 1; }\n"
                     "out/walk > log; grep -qx '%d files' log; grep -q 'the cat is at' log",
                     targets, definition, files));
}

static void build_with_pkg_config(const char *package, const char *flags, int files)
{
    in_scratch(arena_format(scratch_arena(),
                            "cd walk; $CC $CFLAGS %s -Igenerated $(pkg-config --cflags %s) main.c generated/walk/*.c "
                            "$(pkg-config --libs %s) -lm -o walk; ./walk > log; grep -qx '%d files' log",
                            flags, package, package, files));
}

START_TEST(a_project_links_content_with_or_without_its_files_in_each_documented_way)
{
    install();
    make_project_with_content();
    in_scratch(
        "cd walk; sed -i 's/(KIN_CONTENT_LIBS)/(KIN_CONTENT_EDIT_LIBS)/' Makefile; " MAKE
        "KIN=$P/bin/kin > log 2>&1 || { cat log; exit 1; }; grep -qx '1 files' log; nm build/walk | grep -q yaml_");
    if (shell_has(scratch_arena(), "pkg-config")) {
        build_with_pkg_config("kin-content-edit", "", 1);
        build_with_pkg_config("kin-content", "-DKIN_NO_CONTENT_EDIT", 0);
        in_scratch("cd walk; if nm walk | grep yaml_; then exit 1; fi; if ldd walk | grep yaml; then exit 1; fi");
    }
    if (shell_has(scratch_arena(), "cmake")) {
        build_with_cmake("kin::content-edit", "NOTHING", 1);
        build_with_cmake("kin::content", "KIN_NO_CONTENT_EDIT", 0);
        in_scratch(
            "cd walk; if nm out/walk | grep yaml_; then exit 1; fi; if ldd out/walk | grep yaml; then exit 1; fi");
    }
    in_scratch("cd walk; sed -i 's/(KIN_CONTENT_EDIT_LIBS)/(KIN_CONTENT_LIBS)/' Makefile; rm -r build; " MAKE
               "KIN=$P/bin/kin CPPFLAGS=-DKIN_NO_CONTENT_EDIT > log 2>&1 || { cat log; exit 1; }\n"
               "grep -qx '0 files' log; if nm build/walk | grep yaml_; then exit 1; fi");
}
END_TEST

#ifndef TESTS_WITHOUT_INSPECTOR
START_TEST(a_project_links_libkin_inspect_in_each_documented_way)
{
    install();
    in_scratch(
        "$P/bin/kin init town > log; cd town; sed -i '1a #include <kin/inspect.h>' main.c\n"
        "sed -i 's/^    game_context_destroy(game);/    kin_inspector *inspector = kin_inspector_create(NULL);\\n"
        "    kin_inspector_add(inspector, \\&game->base, NULL);\\n    kin_inspector_destroy(inspector);\\n&/' "
        "main.c");
    in_scratch(
        "cd town; sed -i 's/(KIN_LIBS)/(KIN_INSPECT_LIBS)/' Makefile; " MAKE
        "KIN=$P/bin/kin > log 2>&1 || { cat log; exit 1; }; grep -q 'kin: inspect game at http://127.0.0.1:' log");
    if (shell_has(scratch_arena(), "pkg-config"))
        in_scratch("cd town; $CC $CFLAGS -Igenerated $(pkg-config --cflags kin-inspect) main.c generated/town/*.c "
                   "$(pkg-config --libs kin-inspect) -lm -o town; ./town > log 2>&1; grep -q 'kin: inspect game' log");
    in_scratch("cd town; $CC $CFLAGS -DKIN_NO_INSPECT -Igenerated $(pkg-config --cflags kin) main.c "
               "generated/town/*.c $(pkg-config --libs kin) -lm -o town; ./town > log 2>&1; ! grep inspect log");
    if (shell_has(scratch_arena(), "cmake"))
        in_scratch("cd town; printf 'cmake_minimum_required(VERSION 3.18)\nproject(town C)\n"
                   "find_package(kin REQUIRED)\nfile(GLOB parts generated/town/*.c)\n"
                   "add_executable(town main.c ${parts})\ntarget_include_directories(town PRIVATE generated)\n"
                   "target_link_libraries(town PRIVATE kin::inspect m)\n' > CMakeLists.txt; "
                   "{ cmake -B out -DCMAKE_PREFIX_PATH=$P && cmake --build out; } > log 2>&1 || { cat log; exit 1; }\n"
                   "out/town > log 2>&1; grep -q 'kin: inspect game at' log");
    in_scratch("KIN_TOKEN= $P/bin/kin-inspect --help > log; grep -q usage log");
    in_scratch("$P/bin/kin inspect --help > log; grep -q usage log");
}
END_TEST

static const struct {
    const char *tool, *build, *program;
} together[] = {
    {"make", MAKE "-I $P/include", "./town"},
    {"cmake", "cmake -B build && cmake --build build", "build/town"},
    {"pkg-config",
     "$P/bin/kin generate -q town.yaml; $CC $CFLAGS -Igenerated main.c generated/town/*.c "
     "$(pkg-config --cflags --libs kin-save kin-inspect kin-pool) -o town",
     "./town"},
    {"pkg-config",
     "$P/bin/kin generate -q town.yaml; $CC $CFLAGS -Igenerated main.c generated/town/*.c "
     "$(pkg-config --cflags --libs kin-pool kin-inspect kin-save) -o town",
     "./town"},
};

// The libraries need the same libkin: with two of them, each would have contexts that the other does not know.
START_TEST(one_program_links_saves_the_inspector_and_the_pool_with_one_libkin)
{
    if (!shell_has(scratch_arena(), together[_i].tool))
        return;
    install();
    copy_project("together");
    const char *output = in_scratch(arena_format(
        scratch_arena(),
        "cd project; { %s; } > log 2>&1 || { cat log; exit 1; }; %s 2> log; $P/bin/kin dump town.kin > log\n"
        "! ldd %s | grep libkin",
        together[_i].build, together[_i].program, together[_i].program));
    ck_assert_str_eq(output, "saved: 1\n");
}
END_TEST

static const struct {
    const char *header, *said, *left_out;
} missing_headers[] = {
    {"zstd.h",
     "libkin-save and libkin-net, which need libzstd-dev; libkin-nats and kin-net, which need libkin-net; "
     "libkin-enet, which needs libkin-net",
     "lib/libkin-save.a lib/pkgconfig/kin-save.pc lib/libkin-net.a lib/pkgconfig/kin-net.pc lib/libkin-nats.a "
     "lib/libkin-enet.a"},
    {"yaml.h", "libkin-content-edit, which needs libyaml-dev",
     "lib/libkin-content-edit.a lib/pkgconfig/kin-content-edit.pc"},
    {"nats/nats.h", "libkin-nats and kin-net, which need libnats-dev",
     "bin/kin-net lib/libkin-nats.a lib/pkgconfig/kin-nats.pc"},
    {"enet/enet.h", "libkin-enet, which needs libenet-dev", "lib/libkin-enet.a lib/pkgconfig/kin-enet.pc"},
    {"curl/curl.h", "kin-inspect, which needs libcurl4-openssl-dev", "bin/kin-inspect"},
    {"jansson.h", "libkin-inspect, which needs libjansson-dev; kin-inspect, which needs libkin-inspect",
     "bin/kin-inspect lib/libkin-inspect.a lib/libkin-inspect.so lib/pkgconfig/kin-inspect.pc"},
};

// With a compiler that does not find a header when make asks for it.
START_TEST(install_says_in_one_line_what_it_left_out_and_which_package_is_missing)
{
    const char *header = missing_headers[_i].header;
    const char *compiler = scratch_path("compiler");
    const char *make_header = "mkdir -p without/curl without/nats without/enet; echo '#error missing' > without/%s";
    in_scratch(arena_format(scratch_arena(), make_header, header));
    scratch_write("compiler", arena_format(scratch_arena(),
                                           "#!/bin/sh\ncase \"$*\" in *'-E -x c -') set -- \"$@\" -I '%s'; esac\n"
                                           "exec %s \"$@\"\n",
                                           scratch_path("without"), shell_compiler()));
    const char *command = "chmod +x '%s'; " MAKE "-s install -o '%s/bin/kin' BUILD='%s' CC='%s' CFLAGS='%s' "
                          "PREFIX='%s' 2>&1"; // kin itself is not built again without libzstd
    const char *output =
        shell_expect(scratch_arena(), arena_format(scratch_arena(), command, compiler, shell_build(), shell_build(),
                                                   compiler, shell_flags(), scratch_path("prefix")));
    const char *line = arena_format(scratch_arena(), ".\nLeft out: %s.\n", missing_headers[_i].said);
    size_t size = strlen(output);
    ck_assert_msg(size >= strlen(line) && strcmp(output + size - strlen(line), line) == 0, "%s", output);
    ck_assert_msg(strncmp(output, "Kin ", strlen("Kin ")) == 0, "%s", output);
    in_scratch(arena_format(scratch_arena(), "cd prefix; for file in %s; do ! test -e $file; done; test -x bin/kin",
                            missing_headers[_i].left_out));
}
END_TEST

START_TEST(install_says_nothing_of_left_out_parts_if_all_could_be_built)
{
    const char *output = make_here(arena_format(scratch_arena(), "install PREFIX='%s'", scratch_path("prefix")));
    ck_assert_msg(strncmp(output, "Kin ", strlen("Kin ")) == 0, "%s", output);
    ck_assert_ptr_null(strstr(output, "Left out"));
    in_scratch("test -x $P/bin/kin-inspect; cd $P/lib; test -s libkin-save.a; test -s libkin-inspect.a; test -s "
               "libkin-inspect.so; test -s libkin_pool.a; for package in kin kin-static kin-save kin-inspect kin-pool "
               "kin-content kin-content-edit; do "
               "test -s pkgconfig/$package.pc; done; test -s $P/include/kin/inspect.h");
}
END_TEST
#endif

// Without the language C, CMake would leave generated files out, and programs would not link.
START_TEST(cmake_reports_a_project_without_the_language_c)
{
    if (!shell_has(scratch_arena(), "cmake"))
        return;
    install();
    copy_project("cmake_cpp");
    const char *output =
        in_scratch("cd project; sed -i 's/town C CXX/town CXX/' CMakeLists.txt; ! cmake -B build 2>&1");
    ck_assert_msg(strstr(output, "kin_generate needs the language C: enable it") != NULL, "%s", output);
}
END_TEST

START_TEST(cmake_reports_where_kin_is_missing)
{
    if (!shell_has(scratch_arena(), "cmake"))
        return;
    install();
    copy_project("cmake");
    const char *output = in_scratch("cd project; rm $P/bin/kin; ! cmake -B build 2>&1");
    ck_assert_msg(strstr(output, "/prefix/bin/kin: install") != NULL, "%s", output);
}
END_TEST

// In a folder whose name is not ASCII, as one source for each target, with names that unity builds can join.
START_TEST(cmake_generates_for_every_kind_of_target)
{
    if (!shell_has(scratch_arena(), "cmake"))
        return;
    install();
    copy_project("kinds");
    in_scratch("mv project Jürgen; cd Jürgen; { cmake -B build -DCMAKE_UNITY_BUILD=ON && cmake --build build && "
               "cmake --install build --prefix \"$PWD/there\"; } > log 2>&1 || { cat log; exit 1; }\n"
               "build/town > log; if grep -r \"$PWD/build\" there/lib/cmake; then exit 1; fi");
}
END_TEST

static const struct {
    const char *change, *said;
} cmake_mistakes[] = {
    {"sed -i 's/SCHEMA town.yaml)/SCHEMA none.yaml)/' CMakeLists.txt", "none.yaml: kin_generate reads it while CMake"},
    {"sed -i 's/TARGET town/TARGET city/' CMakeLists.txt", "there is no target city: call kin_generate after"},
    {"rm $P/lib/libkin-save.a; sed -i 's/kin REQUIRED/kin REQUIRED COMPONENTS save/' CMakeLists.txt",
     "make install of Kin says which packages"},
    {"cp town.yaml town2.yaml; echo 'kin_generate(TARGET town SCHEMA town2.yaml)' >> CMakeLists.txt", "[K0911]"},
    {"echo 'kin_generate(TARGET town SCHEMA town.yaml FLAGS --templates ${KIN_TEMPLATE_DIR})' >> CMakeLists.txt",
     "give one of them another OUTPUT"},
    {"export KIN_EXECUTABLE=/none/kin", "there is no /none/kin: install Kin there, or set KIN_EXECUTABLE"},
    {"mv $P '../a;b'; export CMAKE_PREFIX_PATH=$PWD/../'a;b'", "CMake cannot use ';' in"},
    {"sed -i 's/town.yaml)/town.yaml OUTPUT \"a[b\")/' CMakeLists.txt", "CMake cannot use '[' in"},
    {"mkdir 'a]b'; cp -r shared *.* 'a]b'; cd 'a]b'", "CMake cannot use ']' in"},
};

START_TEST(cmake_reports_mistakes_of_a_project_in_sentences)
{
    if (!shell_has(scratch_arena(), "cmake"))
        return;
    install();
    copy_project("cmake");
    const char *output = in_scratch(arena_format(
        scratch_arena(), "cd project; %s; if cmake -B build > log 2>&1; then exit 1; fi; tr -s ' \n' ' ' < log",
        cmake_mistakes[_i].change));
    ck_assert_msg(strstr(output, cmake_mistakes[_i].said) != NULL, "%s", output);
}
END_TEST

START_TEST(cmake_builds_each_configuration_and_two_trees_at_once)
{
    if (!shell_has(scratch_arena(), "cmake"))
        return;
    install();
    copy_project("cmake");
    in_scratch("exec 3>&1; exec > log 2>&1; trap '[ $? = 0 ] || cat log >&3' EXIT\n"
               "cmake -G 'Ninja Multi-Config' -S project -B multi; cmake --build multi --config Debug\n"
               "cmake --build multi --config Release; multi/Debug/town; multi/Release/town\n"
               "rm multi/generated/town/town.h; cmake --build multi --config Debug\n"
               "cmake --build multi --config Debug | grep 'no work to do'\n"
               "sed -i 's|town.yaml)|town.yaml OUTPUT ${CMAKE_CURRENT_SOURCE_DIR}/made)|' project/CMakeLists.txt\n"
               "for tree in one two; do { cmake -S project -B $tree && cmake --build $tree; } > $tree.log 2>&1 & done\n"
               "wait; cat one.log two.log; one/town; two/town");
}
END_TEST

// Characters with a meaning for shells, make, pkg-config, CMake or Meson. The rules of make cannot have some of them.
static const struct {
    const char *tool, *folder, *prefix, *build, *program;
} odd_names[] = {
    {"make", "-p 'q' \"r\" = ; \\ [1 $x #y %z & (w) ü", "it's=$a#b%c&(d)[e]\"f\"~ü",
     "mv town.yaml ./-town.yaml; " MAKE "-I \"$Q/include\" KIN_SCHEMAS=-town.yaml", "./town"},
    {"cmake", "-p 'q' = [1] $x #y %z & (w) ü", "it's = $a #b %c & (d) [e] ü",
     "CMAKE_PREFIX_PATH=$Q cmake -G Ninja -B build && cmake --build build", "build/town"},
    {"meson", "-p 'q' \"r\" = ; \\ [1 $x #y %z & (w) ü", "a = #b %c & (d) [e]",
     "PKG_CONFIG_PATH=$Q/lib/pkgconfig meson setup --unity=on build && ninja -C build", "build/town"},
};

START_TEST(a_project_and_kin_are_in_folders_with_odd_names)
{
    if (!shell_has(scratch_arena(), odd_names[_i].tool))
        return;
    install();
    copy_project(odd_names[_i].tool);
    scratch_write("folder", odd_names[_i].folder);
    scratch_write("odd", odd_names[_i].prefix);
    in_scratch(
        arena_format(scratch_arena(),
                     "Q=$PWD/$(cat odd); mv prefix \"$Q\"; mv project \"./$(cat folder)\"; cd \"./$(cat folder)\"\n"
                     "{ %s; } > log 2>&1 || { cat log; exit 1; }; LD_LIBRARY_PATH=$Q/lib %s",
                     odd_names[_i].build, odd_names[_i].program));
}
END_TEST

static const struct {
    const char *variable, *said;
} make_mistakes[] = {
    {"KIN_OUTPUT=a=b", "make cannot use '=' in names"},
    {"KIN_OUTPUT=a%b", "make cannot use '%' in names"},
    {"KIN_OUTPUT=a\\'b", "make cannot use ''' in names"},
    {"KIN_OUTPUT=./-a", "begins with '-'"},
    {"KIN_OUTPUT='a b'", "make cannot use names with spaces"},
    {"KIN_SCHEMAS='a;b.yaml'", "make cannot use ';' in names"},
    {"KIN_SCHEMAS='a&b.yaml'", "make cannot use '&' in names"},
    {"KIN_SCHEMAS='a b.yaml'", "'a', which does not end with .yaml"},
};

START_TEST(make_reports_names_that_it_cannot_use)
{
    install();
    copy_project("make");
    const char *output = in_scratch(arena_format(
        scratch_arena(), "cd project; if " MAKE "-I $P/include %s 2>&1; then exit 1; fi", make_mistakes[_i].variable));
    ck_assert_msg(strstr(output, make_mistakes[_i].said) != NULL, "%s", output);
}
END_TEST

// Tests install below TMPDIR, also as root.
START_TEST(the_cache_of_libraries_is_written_for_folders_of_the_system_only)
{
    ck_assert_ptr_nonnull(strstr(make_here("-n install PREFIX=/usr/local DESTDIR="), "ldconfig"));
    ck_assert_ptr_null(strstr(make_here("-n install PREFIX=/opt/kin DESTDIR="), "ldconfig"));
    ck_assert_ptr_null(strstr(make_here("-n install PREFIX=/usr DESTDIR=/opt"), "ldconfig"));
}
END_TEST

// Files that name the compiler of another machine, and the build with them.
static const struct {
    const char *tool, *file, *build;
} crossed[] = {
    {"cmake",
     "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_C_COMPILER s390x-linux-gnu-gcc)\n"
     "foreach(what LIBRARY INCLUDE PACKAGE)\nset(CMAKE_FIND_ROOT_PATH_MODE_${what} ONLY)\nendforeach()\n",
     "cmake -B build -DCMAKE_TOOLCHAIN_FILE=$PWD/../cross -DCMAKE_FIND_ROOT_PATH=$P && cmake --build build"},
    {"meson",
     "[binaries]\nc = 's390x-linux-gnu-gcc'\nar = 's390x-linux-gnu-ar'\npkgconfig = 'pkg-config'\n"
     "[host_machine]\nsystem = 'linux'\ncpu_family = 's390x'\ncpu = 's390x'\nendian = 'big'\n",
     "meson setup --cross-file ../cross -Dpkg_config_path=$P/lib/pkgconfig build && ninja -C build"},
};

// The libraries are of the other machine, kin is of this one.
START_TEST(a_project_is_built_for_another_machine)
{
    if (!shell_has(scratch_arena(), "s390x-linux-gnu-gcc") || !shell_has(scratch_arena(), crossed[_i].tool))
        return;
    install();
    copy_project(crossed[_i].tool);
    scratch_write("cross", crossed[_i].file);
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(), MAKE "-s CC=s390x-linux-gnu-gcc CFLAGS=-O0 BUILD='%s' '%s'",
                              scratch_path("other"), scratch_path("other/lib/libkin.a")));
    in_scratch(arena_format(scratch_arena(),
                            "mkdir host; mv prefix/bin/kin host; cp other/lib/libkin.a prefix/lib\n"
                            "rm prefix/lib/libkin.so*; unset CC CFLAGS; export PATH=$PWD/host:$PATH; cd project\n"
                            "{ %s; } > log 2>&1 || { cat log; exit 1; }\n"
                            "LC_ALL=C readelf -h build/town | grep 'IBM S/390'\n"
                            "if command -v qemu-s390x; then qemu-s390x -L /usr/s390x-linux-gnu build/town; fi",
                            crossed[_i].build));
}
END_TEST

// The prefix has the libraries of the target, whose kin does not run here.
START_TEST(cmake_takes_the_kin_that_it_is_given)
{
    if (!shell_has(scratch_arena(), "cmake"))
        return;
    install();
    copy_project("cmake");
    in_scratch(
        "mkdir host; mv prefix/bin/kin host; cd project; cmake -B build -DKIN_EXECUTABLE=$PWD/../host/kin > log;"
        " cmake --build build > log; build/town > log\n"
        "KIN_EXECUTABLE=$PWD/../host/kin cmake -B other > log; cd ..\n"
        "PATH=$PWD/host:$PATH cmake -S project -B cross -DCMAKE_SYSTEM_NAME=Linux > log; test -d cross/generated");
}
END_TEST

// A PREFIX with characters that shells and make know; the installed tree is moved afterwards.
START_TEST(any_prefix_is_installed_to_moved_and_uninstalled)
{
    const char *prefix = "a b 'q' \"d\" (x) & ;% = # [1] \\ ü";
    scratch_write("prefix", prefix);
    const char *make =
        arena_format(scratch_arena(), MAKE "-s %%s BUILD='%s' CC='%s' CFLAGS='%s' DESTDIR= \"PREFIX=%s/$(cat '%s')\"",
                     shell_build(), shell_compiler(), shell_flags(), scratch_path("root"), scratch_path("prefix"));
    shell_expect(scratch_arena(), arena_format(scratch_arena(), make, "install"));
    shell_expect(scratch_arena(), arena_format(scratch_arena(), make, "install"));
    in_scratch("cp -r root/* copy; PKG_CONFIG_PATH=copy/lib/pkgconfig pkg-config --cflags kin > log; "
               "\"$(PKG_CONFIG_PATH=copy/lib/pkgconfig pkg-config --variable=kin kin)\" --version\n"
               "if grep -rIF \"$PWD/root\" copy log; then exit 1; fi");
    shell_expect(scratch_arena(), arena_format(scratch_arena(), make, "uninstall"));
    ck_assert_uint_eq(scratch_count("root"), 0);
}
END_TEST

START_TEST(pkg_config_says_where_kin_and_its_templates_are)
{
    install();
    const char *output =
        in_scratch("$(pkg-config --variable=kin kin) --version; pkg-config --modversion kin\n"
                   "for file in \"$OLDPWD\"/templates/*.mustache \"$OLDPWD\"/templates/component/*.mustache "
                   "\"$OLDPWD\"/templates/world/*.mustache; do cmp \"$file\" "
                   "\"$(pkg-config --variable=templatedir kin)/${file##*/}\"; done");
    char *version = strchr(output, '\n');
    ck_assert_ptr_nonnull(version);
    *version++ = '\0';
    version[strcspn(version, "\n")] = '\0';
    ck_assert_msg(strstr(output, version) != NULL, "%s is not %s", output, version);
}
END_TEST

START_TEST(the_shared_library_has_a_versioned_name_and_public_symbols_only)
{
    install();
    const char *library = scratch_path("prefix/lib/libkin.so");
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "tests/tools/lint_symbols.sh '%s'", library));
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "number=$(sed -n 's/^#define KIN_INTERFACE_VERSION //p' runtime/include/kin/platform.h);"
                              "objdump -p '%s' | grep -q \"SONAME *libkin.so.$number$\" && "
                              "[ $(readlink '%s') = libkin.so.$number ]",
                              library, library));
}
END_TEST

START_TEST(manuals_completions_and_what_editors_and_gdb_need_are_where_they_look)
{
    install();
    ck_assert_str_eq(in_scratch("cmp \"$OLDPWD\"/runtime/gdb/kin_gdb.py prefix/share/kin/kin_gdb.py; cd prefix/share; "
                                "$P/bin/kin schema | cmp - "
                                "kin/kin.schema.json; grep -q '^.TH KIN 1' man/man1/kin.1; grep -q '^.TH KIN-SCHEMA 5' "
                                "man/man5/kin-schema.5\n"
                                "bash -c '. bash-completion/completions/kin; COMP_WORDS=(kin scaf); COMP_CWORD=1; _kin;"
                                " echo $COMPREPLY'\n"
                                "head -1 zsh/site-functions/_kin; head -1 fish/vendor_completions.d/kin.fish"),
                     "scaffold\n#compdef kin\n"
                     "# Fish completion for kin. Generated by `kin completion fish`. Source it, or save it in "
                     "~/.config/fish/completions.\n");
}
END_TEST

START_TEST(uninstall_removes_all_that_install_put_there_and_nothing_else)
{
    const char *where = arena_format(scratch_arena(), "PREFIX=/opt/kin DESTDIR='%s'", scratch_path("root"));
    make_here(arena_format(scratch_arena(), "install %s", where));
    in_scratch("test -x root/opt/kin/bin/kin; echo mine > root/opt/kin/share/kin/templates/mine.mustache");
    make_here(arena_format(scratch_arena(), "uninstall %s", where));
    ck_assert_str_eq(in_scratch("cd root; find . -type f -o -type l; find . -name include/kin -o -path '*/cmake/kin'"),
                     "./opt/kin/share/kin/templates/mine.mustache\n");
    in_scratch("rm root/opt/kin/share/kin/templates/mine.mustache");
    make_here(arena_format(scratch_arena(), "uninstall %s", where));
    ck_assert_str_eq(in_scratch("find root"), "root\nroot/opt\n");
    make_here(arena_format(scratch_arena(), "uninstall %s", where));
    make_here(arena_format(scratch_arena(), "install %s", where));
    in_scratch("mkdir root/opt/kin/mine");
    make_here(arena_format(scratch_arena(), "uninstall %s", where));
    ck_assert_str_eq(in_scratch("find root; rmdir root/opt/kin/mine"),
                     "root\nroot/opt\nroot/opt/kin\nroot/opt/kin/mine\n");
    make_here(arena_format(scratch_arena(), "install PREFIX=/usr/local DESTDIR='%s'", scratch_path("root")));
    make_here(arena_format(scratch_arena(), "uninstall PREFIX=/usr/local DESTDIR='%s'", scratch_path("root")));
    in_scratch("test -d root/usr/local/bin; test -d root/usr/local/lib; ! test -e root/usr/local/share/kin");
}
END_TEST

// A build by a user, installed by root, stays usable by that user. Other suites write their logs meanwhile.
START_TEST(installing_what_is_built_writes_nothing_into_the_build)
{
    make_here("all");
    const char *stamp = scratch_path("stamp");
    scratch_write("stamp", "");
    install();
    const char *newer = arena_format(scratch_arena(),
                                     "find '%s' -newer '%s' -not -path '*/kin-test-*' -not -path '%s' "
                                     "-not -path '%s/tests' -not -path '%s/tests/group-*'",
                                     shell_build(), stamp, shell_build(), shell_build(), shell_build());
    ck_assert_str_eq(shell_expect(scratch_arena(), newer), "");
}
END_TEST

// Makes a target twice, and requires the same bytes.
static const char *make_twice(const char *target, const char *again)
{
    const char *said = make_here(target);
    ck_assert_msg(strncmp(said, "wrote ", strlen("wrote ")) == 0, "%s", said);
    const char *path = arena_copy(scratch_arena(), said + strlen("wrote "), strcspn(said, "\n") - strlen("wrote "));
    const char *first = scratch_path(target);
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "cp '%s' '%s'; sleep 1.1", path, first));
    make_here(arena_format(scratch_arena(), "%s %s", target, again));
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "cmp '%s' '%s'", path, first));
    return first;
}

static bool is_clone(void)
{
    bool found = shell_run(scratch_arena(), "git rev-parse --verify HEAD").status == 0;
    if (!found)
        printf("skipped: what needs a clone, as this is none\n");
    return found;
}

START_TEST(dist_packs_what_git_tracks_the_same_each_time)
{
    if (!is_clone())
        return;
    const char *first = make_twice("dist", "TZ=Asia/Tokyo");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "bash -c \"diff <(tar -tzf '%s' | grep -v '/$' | sed 's|[^/]*/||' | sort)"
                              " <(git -c core.quotePath=off ls-tree -r --name-only HEAD | sort)\"",
                              first));
}
END_TEST

START_TEST(what_dist_packs_builds_without_git_and_is_used_by_a_project)
{
    if (!is_clone())
        return;
    make_here("dist");
    copy_project("make");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(), "tar -xzf '%s'/kin-*.tar.gz -C '%s'", shell_build(), scratch_path("")));
    in_scratch("export CFLAGS=-O0; " MAKE "-s -j\"$(nproc)\" -C kin-* GIT_DIR=none install PREFIX=$P\n"
               "cd project; ./consume.sh town " MAKE "-I $P/include");
}
END_TEST

// Makes the packages twice, and requires the same bytes.
static void make_packages_twice(void)
{
    const char *said = make_here("deb");
    ck_assert_msg(strncmp(said, "wrote ", strlen("wrote ")) == 0, "%s", said);
    const char *copy = arena_format(scratch_arena(), "mkdir '%s' && cp '%s'/deb/*.deb '%s'", scratch_path("debs"),
                                    shell_build(), scratch_path("debs"));
    shell_expect(scratch_arena(), copy);
    make_here("deb TZ=Asia/Tokyo");
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "cd '%s'/deb; for file in *.deb; do cmp $file '%s'/$file || exit 1; done", shell_build(),
                              scratch_path("debs")));
}

// The packages are unpacked, not installed: kin finds its files by the path of its executable.
START_TEST(debian_packages_are_the_same_each_time_and_build_projects_in_c_and_cpp)
{
    if (!shell_has(scratch_arena(), "dpkg-buildpackage") || !shell_has(scratch_arena(), "dh") || !is_clone())
        return;
    make_packages_twice();
    copy_project("make");
    const char *output =
        in_scratch("root=$OLDPWD; cd debs; ls | sed 's/_.*//' | LC_ALL=C sort; cd ..; for file in debs/*.deb; do "
                   "dpkg-deb -x $file root; done\n"
                   "cd project; ./consume.sh town " MAKE "-I ../root/usr/include\n"
                   "$CXX $CXXFLAGS -std=c++17 -Igenerated -I../root/usr/include main.cpp generated/town/*.o"
                   " -L$(echo ../root/usr/lib/*) -lkin -o town\n"
                   "LD_LIBRARY_PATH=$(echo ../root/usr/lib/*) ./town > said; grep -q 'the cat is at 4' said\n"
                   "cd ..; here=$PWD; test -x root/usr/bin/kin; gzip -t root/usr/share/man/man[15]/*.gz; test -s "
                   "root/usr/share/zsh/vendor-completions/_kin; test -s root/usr/share/kin/kin_gdb.py\n"
                   "gzip -dc root/usr/share/doc/kin/NEWS.gz | cmp - $root/CHANGELOG.md\n"
                   "test -x root/usr/bin/kin-inspect; cd root/usr/lib/*; test -s libkin-save.a; test -s "
                   "libkin-inspect.a; test -s libkin_pool.a; cd $here\n"
                   "dpkg-deb -f debs/kin_*.deb Depends; dpkg-deb -f debs/libkin4_*.deb Depends\n"
                   "dpkg-deb -f debs/libkin-dev_*.deb Depends; for file in debs/*.deb; do dpkg-deb -c $file; done");
    const char *const expected[] = {
        "kin\nkin-inspect\nkin-net\nlibkin-dev\nlibkin4\n",
        "libc6 (>= 2.",
        ", libyaml-0-2",
        "\nlibc6 (>= 2.",
        "\nkin (= ",
        ", libkin4 (= ",
        "root/root",
        "pkgconfig/kin.pc\n",
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        ck_assert_msg(strstr(output, expected[i]) != NULL, "%s is missing: %.2000s", expected[i], output);
}
END_TEST

// The version of debian/changelog, that of the headers, and the newest entry of CHANGELOG.md.
START_TEST(the_packages_and_the_changelog_have_the_version_of_the_headers)
{
    const char *version = shell_expect(
        scratch_arena(), "sed -n 's/^#define KIN_VERSION \"\\(.*\\)\"/\\1/p' runtime/include/kin/platform.h");
    ck_assert_str_eq(shell_expect(scratch_arena(), "sed -n '1s/^kin (\\(.*\\)) .*/\\1/p' debian/changelog"), version);
    ck_assert_str_eq(shell_expect(scratch_arena(), "sed -n 's/^## \\([0-9].*\\)/\\1/p' CHANGELOG.md | head -1"),
                     version);
}
END_TEST

// The flags that the headers of generated code promise to support.
#define STRICT "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror "
#define LOOK   STRICT "-fsyntax-only "

// The first compiles with -O2, as compilers give some warnings only when they generate code.
static const char *const strict_builds[] = {
    "gcc -std=c11 -Wstrict-prototypes -Wmissing-prototypes " STRICT "-O2 -c kin/kin.c",
    "gcc -std=c17 -Wstrict-prototypes -Wmissing-prototypes -DKIN_CHECKED " LOOK "kin/kin.c",
    "clang -std=c11 -Wstrict-prototypes -Wmissing-prototypes -DKIN_CHECKED " LOOK "kin/kin.c",
    "clang -std=c17 -Wstrict-prototypes -Wmissing-prototypes " LOOK "kin/kin.c",
    "g++ -std=c++17 " LOOK "-include kin/kin.h -x c++ /dev/null",
    "clang++ -std=c++17 " LOOK "-include kin/kin.h -x c++ /dev/null",
};

static void amalgamate(void)
{
    make_here("amalgamation");
    copy_project("make");
    shell_expect(scratch_arena(), arena_format(scratch_arena(), "cp -r '%s'/amalgamation/kin '%s'", shell_build(),
                                               scratch_path("project")));
}

START_TEST(the_pair_of_files_has_no_warning)
{
    amalgamate();
    in_scratch(arena_format(scratch_arena(), "cd project; %s", strict_builds[_i]));
}
END_TEST

START_TEST(the_pair_of_files_is_all_of_the_runtime)
{
    amalgamate();
    install();
    const char *output = in_scratch("cd project; $P/bin/kin generate -q town.yaml; rm -r $P/include $P/lib\n"
                                    "$CC -w $CFLAGS -fPIC -O0 -c kin/kin.c -o kin.o\n"
                                    "$CC $CFLAGS -O0 -I. -Igenerated -c main.c generated/town/*.c\n"
                                    "$CC $CFLAGS *.o -o town; ./town; rm main.o\n"
                                    "$CXX $CXXFLAGS -O0 -std=c++17 -I. -Igenerated main.cpp *.o -o town; ./town\n"
                                    "$CC $CFLAGS -shared kin.o -o libkin.so");
    ck_assert_msg(strncmp(output, "the cat is at 4, ", strlen("the cat is at 4, ")) == 0, "%s", output);
    ck_assert_msg(strstr(output + 1, "the cat is at 4, ") != NULL, "%s", output);
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(), "tests/tools/lint_symbols.sh '%s'", scratch_path("project/libkin.so")));
}
END_TEST

START_TEST(the_face_of_cpp_compiles_with_the_pair_of_files)
{
    amalgamate();
    shell_expect(scratch_arena(),
                 arena_format(scratch_arena(),
                              "%s/bin/kin generate -q --face cpp -o '%s/generated' tests/install/town.yaml",
                              shell_build(), scratch_path("project")));
    in_scratch("cd project; echo '#include <town/town.hpp>' > face.cpp\n"
               "$CXX -std=c++17 -Wall -Wextra -Wconversion -Wshadow -Werror -I. -Igenerated -fsyntax-only face.cpp");
}
END_TEST

// Also the headers of the other libraries, which use those of the runtime.
START_TEST(every_public_header_compiles_with_the_pair_of_files)
{
    amalgamate();
    in_scratch("root=$OLDPWD; cd project\n"
               "(cd $root; ls */include/kin/*.h */include/kin/generated/*.h) | sed 's|^[a-z]*/include/||' > names\n"
               "test $(wc -l < names) -ge 49; grep -q '^kin/reflect.h$' names\n"
               "while read name; do printf '#include <%s>\\n#include <kin/kin.h>\\n' $name > one.c\n"
               "    $CC -Wall -Wextra -Werror -I. -fsyntax-only one.c\n"
               "    $CXX -std=c++17 -Wall -Wextra -Werror -I. -fsyntax-only -x c++ one.c; done < names");
}
END_TEST

// Compilers leave out what they have inlined everywhere: no function is left for others but those of public headers.
START_TEST(internal_functions_of_the_pair_of_files_are_static_unless_told_otherwise)
{
    amalgamate();
    install();
    const char *output =
        in_scratch("cd project; $CC -w -O0 -c kin/kin.c -o kin.o; $CC -w -O0 -DKIN_PRIVATE= -c kin/kin.c -o open.o\n"
                   "nm kin.o | awk '$2 == \"T\" { print $3 }' | while read name; do grep -q \"\\<$name(\" kin/kin.h || "
                   "echo $name; done\n"
                   "if command -v objdump > log; then ! objdump -t kin.o | grep __assert_fail; fi\n"
                   "nm -u $P/lib/libkin-save.a | awk '$1 == \"U\" && $2 ~ /^kin__/ { print $2 }' | sort -u > wanted\n"
                   "nm $P/lib/libkin-save.a | awk '$2 ~ /[TDR]/ { print $3 }' | sort -u > own\n"
                   "nm open.o | awk '$2 ~ /[TDR]/ { print $3 }' | sort -u > given\n"
                   "comm -23 wanted own | comm -23 - given");
    ck_assert_str_eq(output, "");
}
END_TEST

START_TEST(err_05_the_pair_of_files_checks_itself_also_with_ndebug)
{
    amalgamate();
    install();
    const char *output =
        in_scratch("cd project; $P/bin/kin generate -q town.yaml\n"
                   "printf '#include \"town/town.h\"\nint main(void) { game_context *game = game_context_create(NULL);"
                   " game_entity cat = game_create_entity(game); game_add_position(game, cat, (Position){1, 2});"
                   " game_edit_position(game, cat)[512].x = 3; game_context_destroy(game); return 0; }\n' > main.c\n"
                   "$CC -w -O0 -DKIN_CHECKED -DNDEBUG -I. -Igenerated main.c generated/town/*.c kin/kin.c -o town\n"
                   "! ./town 2>&1");
    ck_assert_msg(strstr(output, "game: the memory after a column of Position was overwritten") != NULL, "%s", output);
}
END_TEST

START_TEST(a_library_of_another_interface_version_makes_no_context_and_says_what_to_install)
{
    amalgamate();
    install();
    const char *output = in_scratch(
        "cd project; $P/bin/kin generate -q town.yaml\n"
        "printf '#include \"town/town.h\"\nint main(void) { game_context *game = game_context_create(NULL);"
        " game_context_destroy(game); return game == NULL; }\n' > main.c\n"
        "$CC $CFLAGS -I$P/include -Igenerated main.c generated/town/*.c -L$P/lib -lkin -o town; ./town\n"
        "number=$(sed -n 's/^#define KIN_INTERFACE_VERSION //p' kin/kin.h)\n"
        "for other in $((number - 1)) $((number + 1)); do\n"
        "    sed -i \"s/^#define KIN_INTERFACE_VERSION .*/#define KIN_INTERFACE_VERSION $other/\" kin/kin.h\n"
        "    $CC -w $CFLAGS -O0 -fPIC -shared kin/kin.c -o libkin.so.$number\n"
        "    if LD_LIBRARY_PATH=. ./town 2>&1; then exit 1; fi\n"
        "done");
    ck_assert_msg(strstr(output, "cannot create the context game: its generated code is newer than ") != NULL, "%s",
                  output);
    ck_assert_msg(strstr(output, "cannot create the context game: its generated code is older than ") != NULL, "%s",
                  output);
}
END_TEST

static TCase *add_case(Suite *suite, const char *name, double seconds)
{
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, seconds);
    tcase_add_checked_fixture(tests, scratch_create, scratch_destroy);
    suite_add_tcase(suite, tests);
    return tests;
}

Suite *install_suite(void)
{
    Suite *suite = suite_create("install");
    TCase *tests = add_case(suite, "install", 120);
    tcase_add_loop_test(tests, a_project_builds_once_gets_back_what_is_deleted_and_stops_at_a_fault, 0,
                        sizeof projects / sizeof *projects);
    TCase *parts = add_case(suite, "parts", 120);
    tcase_add_test(parts, a_project_links_libkin_save_in_each_documented_way);
    tcase_add_test(parts, a_project_links_content_with_or_without_its_files_in_each_documented_way);
#ifndef TESTS_WITHOUT_INSPECTOR
    tcase_add_test(parts, a_project_links_libkin_inspect_in_each_documented_way);
    tcase_add_loop_test(parts, one_program_links_saves_the_inspector_and_the_pool_with_one_libkin, 0,
                        sizeof together / sizeof *together);
    tcase_add_loop_test(parts, install_says_in_one_line_what_it_left_out_and_which_package_is_missing, 0,
                        sizeof missing_headers / sizeof *missing_headers);
    tcase_add_test(parts, install_says_nothing_of_left_out_parts_if_all_could_be_built);
#endif
    tcase_add_test(tests, cmake_reports_a_project_without_the_language_c);
    tcase_add_test(tests, cmake_reports_where_kin_is_missing);
    tcase_add_test(tests, cmake_generates_for_every_kind_of_target);
    tcase_add_loop_test(tests, cmake_reports_mistakes_of_a_project_in_sentences, 0,
                        sizeof cmake_mistakes / sizeof *cmake_mistakes);
    tcase_add_test(tests, cmake_takes_the_kin_that_it_is_given);
    tcase_add_test(tests, any_prefix_is_installed_to_moved_and_uninstalled);
    tcase_add_test(tests, pkg_config_says_where_kin_and_its_templates_are);
    tcase_add_test(tests, the_shared_library_has_a_versioned_name_and_public_symbols_only);
    tcase_add_test(tests, manuals_completions_and_what_editors_and_gdb_need_are_where_they_look);
    tcase_add_test(tests, uninstall_removes_all_that_install_put_there_and_nothing_else);
    tcase_add_test(tests, installing_what_is_built_writes_nothing_into_the_build);
    tcase_add_test(tests, dist_packs_what_git_tracks_the_same_each_time);
    tcase_add_test(tests, what_dist_packs_builds_without_git_and_is_used_by_a_project);
    TCase *packages = add_case(suite, "packages", 900); // compiles Kin twice
    tcase_add_test(packages, debian_packages_are_the_same_each_time_and_build_projects_in_c_and_cpp);
    tcase_add_test(packages, the_packages_and_the_changelog_have_the_version_of_the_headers);
    TCase *pair = add_case(suite, "pair", 120);
    tcase_add_loop_test(pair, the_pair_of_files_has_no_warning, 0, sizeof strict_builds / sizeof *strict_builds);
    tcase_add_test(pair, the_pair_of_files_is_all_of_the_runtime);
    tcase_add_test(pair, every_public_header_compiles_with_the_pair_of_files);
    tcase_add_test(pair, the_face_of_cpp_compiles_with_the_pair_of_files);
    tcase_add_test(pair, internal_functions_of_the_pair_of_files_are_static_unless_told_otherwise);
    tcase_add_test(pair, err_05_the_pair_of_files_checks_itself_also_with_ndebug);
    tcase_add_test(tests, a_library_of_another_interface_version_makes_no_context_and_says_what_to_install);
    TCase *places = add_case(suite, "places", 120);
    tcase_add_test(places, cmake_builds_each_configuration_and_two_trees_at_once);
    tcase_add_loop_test(places, a_project_and_kin_are_in_folders_with_odd_names, 0,
                        sizeof odd_names / sizeof *odd_names);
    tcase_add_loop_test(places, make_reports_names_that_it_cannot_use, 0, sizeof make_mistakes / sizeof *make_mistakes);
    tcase_add_test(places, the_cache_of_libraries_is_written_for_folders_of_the_system_only);
    tcase_add_loop_test(places, a_project_is_built_for_another_machine, 0, sizeof crossed / sizeof *crossed);
    return suite;
}
