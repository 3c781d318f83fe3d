// Lock: `kin lock` and `kin breaking` as a user calls them, and what a failed or killed run leaves.
#include "generator/faults.h"
#include "generator/program.h"
#include "generator/scratch.h"
#include "generator/verbs/verbs.h"
#include "shell.h"
#include "suites.h"

#include <check.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char first[] = "kin: 1\n"
                            "package: town\n"
                            "contexts: { game: {} }\n"
                            "types:\n"
                            "  Vec2: { fields: { x: float, y: float } }\n"
                            "  Side: { values: [Green, Red, Blue] }\n"
                            "components:\n"
                            "  Frozen: {}\n"
                            "  Health: { fields: { hp: int16 } }\n"
                            "  Leader: { fields: { who: entity<game> } }\n"
                            "  Mana: { fields: { left: int32 } }\n"
                            "  Speed: { fields: { v: Vec2 } }\n"
                            "  Team: { fields: { side: Side } }\n";

static const char third[] =
    "kin: 1\n"
    "package: town\n"
    "version: 3\n"
    "removed: [Mana]\n"
    "contexts: { game: {} }\n"
    "types:\n"
    "  Vec2: { fields: { east: { type: float, was: x }, y: float } }\n"
    "  Side: { values: [Green, Crimson: { was: Red }, Blue] }\n"
    "components:\n"
    "  Frozen: {}\n"
    "  Health: { fields: { points: { type: int32, was: hp, default: 100 }, shield: { type: int32, default: 50 } } }\n"
    "  Leader: { fields: { who: entity<game> } }\n"
    "  Team: { fields: { side: Side } }\n"
    "  Velocity: { was: Speed, fields: { by: { type: Vec2, was: v } } }\n";

static const char first_lock[] = "kin lock 3\n"
                                 "package town version 0\n"
                                 "context game\n"
                                 "Frozen game flag\n"
                                 "Health.hp game int16\n"
                                 "Leader.who game entity<game>\n"
                                 "Mana.left game int32\n"
                                 "Speed.v.x game float\n"
                                 "Speed.v.y game float\n"
                                 "Team.side game enum{Blue,Green,Red}\n";

static const char third_lock[] = "kin lock 3\n"
                                 "package town version 3\n"
                                 "context game\n"
                                 "Frozen game flag\n"
                                 "Health.hp game int16 = Health.points int32\n"
                                 "Health.shield game int32\n"
                                 "Leader.who game entity<game>\n"
                                 "Mana.left game int32 removed\n"
                                 "Speed.v.x game float = Velocity.by.east\n"
                                 "Speed.v.y game float = Velocity.by.y\n"
                                 "Team.side game enum{Blue,Green,Red=Crimson}\n";

static shell_result in_scratch(const char *command)
{
    char *kin = realpath(program(), NULL);
    const char *line =
        arena_format(scratch_arena(), "cd '%s' && kin() { '%s' \"$@\"; } && %s", scratch_path(""), kin, command);
    free(kin);
    return shell_run(scratch_arena(), line);
}

static void expect(const char *command, int status, const char *output)
{
    shell_result result = in_scratch(command);
    ck_assert_msg(result.status == status, "%s: %d, %s", command, result.status, result.output);
    ck_assert_str_eq(result.output, output);
}

START_TEST(evo_12_a_lock_is_written_beside_the_schema_and_extended)
{
    scratch_write("sub/town.yaml", first);
    expect("kin lock sub/town.yaml", 0, "sub/town.lock: 7 leaves\n");
    ck_assert_str_eq(scratch_read("sub/town.lock"), first_lock);
    scratch_write("sub/town.yaml", third);
    expect("kin lock sub/town.yaml", 0, "sub/town.lock: 8 leaves, 3 renamed, 1 removed\n");
    ck_assert_str_eq(scratch_read("sub/town.lock"), third_lock);
    ck_assert_uint_eq(scratch_count("sub"), 2);
}
END_TEST

START_TEST(evo_12_a_check_writes_nothing_and_tells_whether_a_run_would)
{
    scratch_write("town.yaml", first);
    expect("kin lock --check town.yaml", 4, "A town.lock\n");
    ck_assert_ptr_null(scratch_read("town.lock"));
    expect("kin lock town.yaml && kin lock --check town.yaml", 0, "town.lock: 7 leaves\n");
    scratch_write("town.yaml", third);
    expect("kin lock --check town.yaml", 4, "M town.lock\n");
    ck_assert_str_eq(scratch_read("town.lock"), first_lock);
}
END_TEST

START_TEST(evo_12_a_lock_is_not_written_when_something_is_lost)
{
    scratch_write("town.yaml", first);
    expect("kin lock town.yaml && sed -i /Mana/d town.yaml && kin lock town.yaml", 1,
           "town.lock: 7 leaves\n"
           "town.yaml:7:1: error: saves have 'Mana.left', but the schema has no component 'Mana' [K1201]\n"
           "    7 | components:\n"
           "      | ^^^^^^^^^^ if it was renamed, add 'was: Mana' there; if it was removed, add 'removed: [Mana]'\n");
    ck_assert_str_eq(scratch_read("town.lock"), first_lock);
}
END_TEST

START_TEST(evo_03_check_and_generate_fail_when_something_is_lost)
{
    scratch_write("town.yaml", first);
    expect("kin lock town.yaml && sed -i /Mana/d town.yaml", 0, "town.lock: 7 leaves\n");
    ck_assert_int_eq(in_scratch("kin check town.yaml").status, 1);
    ck_assert_int_eq(in_scratch("kin generate town.yaml").status, 1);
    ck_assert_uint_eq(scratch_count("generated"), 0);
}
END_TEST

START_TEST(evo_01_a_renamed_thing_is_generated_alike_with_was_and_with_the_lock)
{
    scratch_write("town.yaml", first);
    expect("kin lock town.yaml", 0, "town.lock: 7 leaves\n");
    scratch_write("town.yaml", third);
    expect("kin lock town.yaml && kin generate -q --depfile town.d town.yaml", 0,
           "town.lock: 8 leaves, 3 renamed, 1 removed\n");
    ck_assert_ptr_nonnull(strstr(scratch_read("town.d"), ": town.yaml town.lock\n\ntown.lock:\n"));
    expect("sed -i 's/, was: [a-z]*//; s/was: Speed, //; s/, was: hp//; /^removed/d; s/ { was: Red }//' town.yaml &&"
           "sed -i 's/Crimson:/Crimson/; s/{ type: float }/float/' town.yaml && ! grep was town.yaml &&"
           "kin generate --check -q town.yaml",
           0, "");
    expect("rm town.lock && kin generate --check -q town.yaml 2> /dev/null", 4, "");
}
END_TEST

// ---- a lock that was deleted

static const char missing[] =
    "town.yaml:2:10: warning: the last run read 'town.lock', which is missing: what saves have "
    "is unknown [K1207]\n"
    "    2 | package: town\n"
    "      |          ^^^^ restore the lock from version control\n";

// Also where the files stay the same, as nothing was renamed.
START_TEST(evo_12_generate_warns_when_the_lock_of_the_last_run_is_missing)
{
    scratch_write("town.yaml", first);
    expect("kin lock town.yaml && kin generate -q town.yaml && rm town.lock", 0, "town.lock: 7 leaves\n");
    expect("kin generate --check -q town.yaml", 4, missing);
    expect("kin generate --dry-run town.yaml > /dev/null", 0, missing);
    expect("kin generate -q town.yaml", 0, missing);
    expect("kin generate -q town.yaml", 0, "");
    expect("kin lock town.yaml && kin generate -q town.yaml", 0, "town.lock: 7 leaves\n");
    expect("rm town.lock && kin generate -q - < town.yaml", 0, ""); // a schema without a path has no lock
}
END_TEST

START_TEST(evo_12_a_new_lock_of_a_later_version_is_a_warning)
{
    static const char new_lock[] =
        "town.yaml:2:10: warning: the lock is new, and the package has version 3: what saves of earlier versions have "
        "is "
        "unknown [K1207]\n"
        "    2 | package: town\n"
        "      |          ^^^^ if it was deleted, restore it; else lock each released version, the oldest first\n";
    scratch_write("town.yaml", third);
    expect("kin lock town.yaml 2>&1 > /dev/null", 0, new_lock);
    expect("kin lock town.yaml 2>&1 > /dev/null", 0, "");
    expect("rm town.lock && sed -i 's/version: 3/version: 1/' town.yaml && kin lock town.yaml 2>&1 > /dev/null", 0, "");
}
END_TEST

// ---- breaking

START_TEST(evo_02_what_saves_of_an_older_schema_lose_is_listed)
{
    scratch_write("v1.yaml", first);
    scratch_write("town.yaml", third);
    expect(
        "sed -i 's/hp: int16/hp: int32/' v1.yaml; sed -i '/^removed/d; s/points: { type: int32/points: { type: int16/'"
        " town.yaml; cat v1.yaml | kin breaking - town.yaml",
        4,
        "town.yaml:8:1: error: saves have 'Mana.left', but the schema has no component 'Mana' [K1201]\n"
        "    8 | components:\n"
        "      | ^^^^^^^^^^ if it was renamed, add 'was: Mana' there; if it was removed, add 'removed: [Mana]'\n"
        "town.yaml:10:39: error: 'Health.points' was int32 in saves and is int16: 70000 could not be read [K1202]\n"
        "   10 |   Health: { fields: { points: { type: int16, was: hp, default: 100 }, shield: { type: int32, "
        "default: 50 } } }\n"
        "      |                                       ^^^^^ keep int32, or add 'migrate: true' to 'Health' and "
        "convert the "
        "value in health_migrate()\n"
        "kin: 2 changes lose data, 6 keep it (renamed: Health.hp, Team.side.Red, Speed, Speed.v, Speed.v.x; new: "
        "Health.shield)\n");
}
END_TEST

#define KEPT                                                                                                           \
    "kin: 7 changes keep data (renamed: Health.hp, %sSpeed, Speed.v, Speed.v.x%s; new: Health.shield; changed: "       \
    "Health.points (int16 to int32)), 1 removed: Mana\n"

START_TEST(evo_02_schemas_and_locks_are_compared_alike)
{
    scratch_write("a/town.yaml", first);
    scratch_write("b/town.yaml", third);
    scratch_write("a/town.lock", first_lock);
    scratch_write("b/town.lock", third_lock);
    const char *of_schema = arena_format(scratch_arena(), KEPT, "Team.side.Red, ", "");
    const char *of_lock = arena_format(scratch_arena(), KEPT, "", ", Team.side.Red");
    expect("kin breaking a/town.yaml b/town.yaml", 0, of_schema);
    expect("kin breaking a/town.lock b/town.yaml", 0, of_schema);
    expect("kin breaking - b/town.yaml < a/town.lock", 0, of_schema);
    expect("kin breaking a/town.lock b/town.lock", 0, of_lock);
    expect("kin breaking a/town.lock - < b/town.lock", 0, of_lock);
    expect("kin breaking b/town.yaml b/town.lock && kin breaking b/town.lock b/town.yaml", 0,
           "kin: saves can be read as before\nkin: saves can be read as before\n");
}
END_TEST

static const char guarded[] = "kin: 1\n"
                              "package: town\n"
                              "contexts: { game: {} }\n"
                              "components: { Cell: { fields: { x: int32 } }, Gone: {} }\n"
                              "messages: { Hit: { fields: { damage: { type: int32, range: [0, 100] } } } }\n"
                              "systems: { Fight: { inbox: [{ Hit: { capacity: 16 } }] } }\n"
                              "indices: { place: { kind: primary, key: [Cell.x], none: [Gone] } }\n";

#define LOOSEN "sed 's/, none: .Gone.//; s/capacity: 16/capacity: 4/; s/0, 100/0, 50/' v1.yaml > town.yaml && "
#define ACCEPT "; 'kin lock' accepts them as they are, and 'kin breaking' ends with status 4\n"

static const char narrowed[] =
    "town.yaml:5:30: warning: 'Hit.damage' has the range 0..50 now, and had 0..100: values of saves outside of it are "
    "read as they are [K1208]\n"
    "    5 | messages: { Hit: { fields: { damage: { type: int32, range: [0, 50] } } } }\n"
    "      |                              ^^^^^^ to allow such values, write 'range: [0, 100]'" ACCEPT
    "town.yaml:6:29: warning: the inbox 'Fight.Hit' has the capacity 4 now, and had 16: of saves that have more, the "
    "oldest messages are lost [K1208]\n"
    "    6 | systems: { Fight: { inbox: [{ Hit: { capacity: 4 } }] } }\n"
    "      |                             ^^^^^^^^^^^^^^^^^^^^^^^^ to have room for all, write 'capacity: 16'" ACCEPT
    "town.yaml:7:12: warning: 'Cell.x' is also a primary key of entities with 'Gone' now: saves in which it is not are "
    "refused [K1208]\n"
    "    7 | indices: { place: { kind: primary, key: [Cell.x] } }\n"
    "      |            ^^^^^ to refuse none, add 'Gone' to 'none' of the index, or 'migrate: true' to the "
    "component" ACCEPT;

static const char narrowed_summary[] = "kin: 3 changes narrow what saves may have (Cell.x: condition, Hit.damage: "
                                       "range 0..50, Fight.Hit: capacity 4)\n";

START_TEST(evo_14_what_saves_may_have_and_the_schema_does_not_allow_is_named)
{
    scratch_write("v1.yaml", guarded);
    expect(LOOSEN "kin breaking v1.yaml town.yaml", 4,
           arena_format(scratch_arena(), "%s%s", narrowed, narrowed_summary));
    expect("kin lock v1.yaml && kin breaking town.lock town.yaml 2> /dev/null", 4,
           arena_format(scratch_arena(), "town.lock: 3 leaves\n%s", narrowed_summary));
    expect("kin check town.yaml", 0, narrowed);
    expect("kin lock town.yaml 2>&1 > /dev/null", 0, narrowed);
    expect("kin check town.yaml && kin lock town.yaml", 0, "town.lock: 3 leaves\n");
}
END_TEST

// A lock of another format has no lines that later formats have.
START_TEST(evo_14_of_what_an_earlier_format_does_not_know_nothing_is_said)
{
    scratch_write("v1.yaml", guarded);
    expect(
        "kin lock v1.yaml && cp town.lock v3.lock && sed -i '1s/3/2/; /^[cim][a-z_]* [a-zA-Z.]* [!0-9]/d' town.lock &&"
        " diff v3.lock town.lock",
        1,
        "town.lock: 3 leaves\n1c1\n< kin lock 3\n---\n> kin lock 2\n6,7d5\n< condition game.Cell.x !Gone\n"
        "< inbox Fight.Hit 16\n9d6\n< message_range Hit.damage 0..100\n");
    expect(LOOSEN "kin check town.yaml && kin lock --check v1.yaml && kin lock --check town.yaml", 0, "");
    expect("kin breaking town.lock town.yaml && kin breaking v3.lock town.lock && kin breaking town.lock v3.lock", 0,
           "kin: saves can be read as before\nkin: saves can be read as before\nkin: saves can be read as before\n");
    expect("kin lock town.yaml && grep -c 'Hit\\|lock 3' town.lock && kin check town.yaml", 0,
           "town.lock: 3 leaves\n4\n");
}
END_TEST

// ---- breaking --net

static const char sent[] = "kin: 1\n"
                           "package: town\n"
                           "contexts: { game: { replicate: true, default: true }, scene: {} }\n"
                           "types:\n"
                           "  Vec2: { fields: { x: float, y: float } }\n"
                           "  Side: { values: [Green, Red] }\n"
                           "components:\n"
                           "  Health: { fields: { hp: int16 } }\n"
                           "  Mana: { fields: { left: int32 } }\n"
                           "  Plan: { replicate: false, fields: { step: int32 } }\n"
                           "  Speed: { fields: { v: Vec2 } }\n"
                           "  Team: { fields: { side: Side } }\n"
                           "messages:\n"
                           "  Inner: { fields: { n: int32 } }\n"
                           "  Order: { from: replica, fields: { to: Vec2, kind: uint8 } }\n";

// Something is new, gone, renamed or in another order, and what is not sent has another type.
static const char sent_later[] = "kin: 1\n"
                                 "package: town\n"
                                 "removed: [Mana, Plan.step]\n"
                                 "contexts: { game: { replicate: true, default: true }, scene: {} }\n"
                                 "types:\n"
                                 "  Vec2: { fields: { y: float, x: float } }\n"
                                 "  Side: { values: [Red, Green] }\n"
                                 "components:\n"
                                 "  Health: { fields: { points: { type: int16, was: hp }, shield: int32 } }\n"
                                 "  Plan: { replicate: false, fields: { text: string } }\n"
                                 "  Team: { fields: { side: Side } }\n"
                                 "  Velocity: { was: Speed, fields: { by: { type: Vec2, was: v, precision: 0.01 } } }\n"
                                 "messages:\n"
                                 "  Inner: { fields: { n: int64 } }\n"
                                 "  Order: { from: replica, fields: { kind: uint8, to: Vec2, slow: bool } }\n"
                                 "  Shout: { from: replica, fields: { loud: bool } }\n";

START_TEST(net_33_breaking_says_that_versions_can_meet)
{
    static const char output[] = "kin: hosts and replicas of both versions can meet (new: Health.shield, Order.slow, "
                                 "Shout.loud; gone: Mana.left; changed: Velocity.by.y, Velocity.by.x)\n";
    scratch_write("v1.yaml", sent);
    scratch_write("town.yaml", sent_later);
    expect("kin breaking --net v1.yaml town.yaml", 0, output);
    expect("cat v1.yaml | kin breaking --net - town.yaml", 0, output);
    expect("kin breaking --net v1.yaml v1.yaml", 0, "kin: hosts and replicas of both versions can meet\n");
    // The lock has the names of the first version, so that 'was' may go.
    expect("cp town.yaml later.yaml && cp v1.yaml town.yaml && kin lock town.yaml &&"
           "cp later.yaml town.yaml && kin lock town.yaml &&"
           "sed -i 's/, was: [a-z]*//; s/was: Speed, //' town.yaml && ! grep was town.yaml &&"
           "kin breaking --net v1.yaml town.yaml",
           0,
           "town.lock: 10 leaves\n"
           "town.lock: 14 leaves, 3 renamed, 2 removed\n"
           "kin: hosts and replicas of both versions can meet (new: Health.shield, Order.slow, Shout.loud; gone: "
           "Mana.left; changed: Velocity.by.y, Velocity.by.x)\n");
}
END_TEST

START_TEST(net_33_breaking_names_what_versions_could_not_read)
{
    scratch_write("v1.yaml", sent);
    expect(
        "sed 's/hp: int16/hp: int32/; s/Red]/Red, Blue]/; s/kind: uint8/kind: int8/' v1.yaml > town.yaml;"
        "kin breaking --net v1.yaml town.yaml",
        4,
        "town.yaml:8:27: error: 'Health.hp' was int16 and is int32: 70000 could not be read by replicas of the former "
        "version [K1510]\n"
        "    8 |   Health: { fields: { hp: int32 } }\n"
        "      |                           ^^^^^ programs of both versions would refuse each other; keep what was, and "
        "add a field for what is new\n"
        "town.yaml:12:27: error: 'Team.side' has changed: the value 'Blue' could not be read by replicas of the former "
        "version [K1510]\n"
        "   12 |   Team: { fields: { side: Side } }\n"
        "      |                           ^^^^ programs of both versions would refuse each other; keep what was, and "
        "add a field for what is new\n"
        "town.yaml:15:53: error: 'Order.kind' was uint8 and is int8: 255 could not be read by hosts of this version "
        "[K1510]\n"
        "   15 |   Order: { from: replica, fields: { to: Vec2, kind: int8 } }\n"
        "      |                                                     ^^^^ programs of both versions would refuse each "
        "other; keep what was, and add a field for what is new\n"
        "town.yaml:15:53: error: 'Order.kind' was uint8 and is int8: -1 could not be read by hosts of the former "
        "version "
        "[K1510]\n"
        "   15 |   Order: { from: replica, fields: { to: Vec2, kind: int8 } }\n"
        "      |                                                     ^^^^ programs of both versions would refuse each "
        "other; keep what was, and add a field for what is new\n"
        "kin: 4 changes keep hosts and replicas of both versions apart\n");
    expect("kin breaking --net town.yaml v1.yaml 2> /dev/null", 4,
           "kin: 4 changes keep hosts and replicas of both versions apart\n");
}
END_TEST

START_TEST(net_33_breaking_needs_schemas_of_one_package)
{
    scratch_write("town.yaml", sent);
    expect("kin lock town.yaml && kin breaking --net town.lock town.yaml", 1,
           "town.lock: 10 leaves\n"
           "town.lock:1:1: error: a lock does not say what is sent; give the schema [K1207]\n"
           "    1 | kin lock 3\n"
           "      | ^^^^^^^^^^\n");
    expect("kin breaking --net town.yaml town.lock 2> /dev/null", 1, "");
    expect("sed 's/package: town/package: village/' town.yaml | kin breaking --net - town.yaml 2> /dev/null", 1, "");
}
END_TEST

// Frames and messages have the numbers of contexts and messages: what sends the same under other numbers is converted.
START_TEST(net_33_the_hash_has_the_numbers_of_what_is_sent)
{
    scratch_write("town.yaml", sent);
    expect(
        "hash() { kin generate -q town.yaml 2> said || cat said; grep -F .hash generated/town/town_net.c; }; hash > 1;"
        "sed -i 's/  Inner:/  Above: { fields: { n: int32 } }\\n  Inner:/' town.yaml; hash > 2;"
        "sed -i 's/scene: {}/aside: {}/' town.yaml; hash > 3;"
        "sed -i 's/step: int32/step: int64/' town.yaml; hash > 4;"
        "cmp -s 1 2 && echo same; cmp -s 2 3 && echo same; cmp -s 3 4 && test -s 4 && echo unsent",
        0, "unsent\n");
}
END_TEST

START_TEST(losses_are_objects_in_json)
{
    scratch_write("town.yaml", first);
    scratch_write("now.yaml", third);
    shell_result result = in_scratch("sed -i /^removed/d now.yaml; kin breaking --diagnostics json town.yaml now.yaml"
                                     " 2>&1 > out");
    ck_assert_int_eq(result.status, 4);
    json_t *object = json_loads(result.output, 0, NULL);
    ck_assert_ptr_nonnull(object);
    ck_assert_str_eq(json_string_value(json_object_get(object, "code")), "K1201");
    ck_assert_int_eq(json_integer_value(json_object_get(object, "line")), 8);
    json_decref(object);
}
END_TEST

// ---- version control

START_TEST(evo_12_locks_of_two_branches_are_merged_line_by_line)
{
    if (!shell_has(scratch_arena(), "git"))
        return;
    scratch_write("town.yaml", first);
    expect(
        "kin lock town.yaml > out && rm out && git init -q . && git config user.email a@b.c && git config user.name a"
        " && git add -A && git commit -qm a && git checkout -qb other &&"
        " sed -i 's/Frozen: {}/Frozen: {}\\n  Burning: {}/' town.yaml && kin lock town.yaml && git commit -qam b &&"
        " git checkout -q - &&"
        " sed -i 's/side: Side/side: Side, size: int8/' town.yaml && kin lock town.yaml && git commit -qam c &&"
        " git merge -q other > /dev/null && kin lock --check town.yaml",
        0, "town.lock: 8 leaves\ntown.lock: 8 leaves\n");
    ck_assert_ptr_nonnull(strstr(scratch_read("town.lock"), "\nBurning game flag\n"));
    ck_assert_ptr_nonnull(strstr(scratch_read("town.lock"), "\nTeam.size game int8\n"));
}
END_TEST

START_TEST(evo_12_lines_of_two_branches_that_each_add_something_are_joined)
{
    scratch_write("town.yaml", first);
    scratch_write("town.lock", first_lock);
    expect("sed -i 's/^Team.*/Team.side game enum{Blue,Gold,Green,Red}\\nTeam.side game enum{Blue,Grey,Green,Red}/'"
           " town.lock && sed -i 's/Blue\\]/Blue, Gold, Grey]/' town.yaml && kin lock town.yaml && grep Team town.lock",
           0, "town.lock: 7 leaves\nTeam.side game enum{Blue,Gold,Green,Grey,Red}\n");
    expect("sed -i 's/Gold, //' town.yaml && kin check town.yaml 2> /dev/null", 1, "");
}
END_TEST

START_TEST(evo_12_lines_of_two_branches_that_contradict_each_other_are_refused)
{
    static const char *const lines[][2] = {
        {"Team.side game enum{Blue,Green,Red}", "Team.side game enum{Blue=Azure,Green,Red}"},
        {"Team.side game enum{Blue,Green,Red}", "Team.side game enum{Blue=-,Green,Red}"},
        {"Team.side game enum{Blue,Green,Red}", "Team.side game int8"},
        {"Health.hp game int16", "Health.hp game int16 removed"},
        {"Health.hp game int16", "Health.hp game int32"},
        {"Health.hp game,scene int16", "Health.hp game,scene=- int16"},
        {"condition game.Cell.x !Gone", "condition game.Cell.x Solid"},
        {"inbox Fight.Hit 16", "inbox Fight.Hit ~"},
        {"message_range Hit.damage 0..1", "message_range Hit.damage 0..2"},
    };
    scratch_write("town.yaml", first);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scratch_write("town.lock", arena_format(scratch_arena(), "kin lock 3\npackage town version 0\n%s\n%s\n",
                                                lines[i][0], lines[i][1]));
        expect("kin check town.yaml 2> out; grep -c 'K1204' out", 0, "1\n");
        scratch_write("town.lock", arena_format(scratch_arena(), "kin lock 3\npackage town version 0\n%s\n%s\n",
                                                lines[i][1], lines[i][0]));
        expect("kin check town.yaml 2> out; grep -c 'K1204' out", 0, "1\n");
    }
}
END_TEST

// ---- faults

static const struct {
    const char *before, *schema, *after;
} writes[] = {{NULL, first, first_lock}, {first_lock, third, third_lock}};

static void begin_write(size_t write)
{
    remove(scratch_path("town.lock"));
    if (writes[write].before != NULL)
        scratch_write("town.lock", writes[write].before);
    scratch_write("town.yaml", writes[write].schema);
}

enum { HAS_FAILED = 64 };

// Runs `kin lock` in a process of its own, whose call number `at` fails. Returns what waitpid says.
static int lock_until(int at, int fault)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        const char *schemas[] = {scratch_path("town.yaml"), NULL};
        command command = {.kind = COMMAND_LOCK, .schemas = schemas, .schema_count = 1};
        if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL)
            _exit(HAS_FAILED - 1);
        faults_arm(at, fault);
        int status = lock_run(scratch_arena(), &command);
        _exit(status | (faults_disarm() ? HAS_FAILED : 0));
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

static void expect_whole(size_t write, int at, bool is_done)
{
    const char *found = scratch_read("town.lock"), *before = writes[write].before, *after = writes[write].after;
    bool is_after = found != NULL && strcmp(found, after) == 0;
    bool is_before = before == NULL ? found == NULL : found != NULL && strcmp(found, before) == 0;
    ck_assert_msg(is_after || (is_before && !is_done), "after call %d: %s", at, found == NULL ? "no lock" : found);
}

START_TEST(evo_12_a_failed_run_leaves_the_old_or_the_new_lock)
{
    static const int faults[] = {ENOSPC, EIO, EACCES, EINTR};
    size_t write = (size_t)_i / 4;
    bool has_failed = true;
    int at = 0;
    for (; has_failed; at++) {
        begin_write(write);
        int status = WEXITSTATUS(lock_until(at, faults[_i % 4]));
        has_failed = (status & HAS_FAILED) != 0;
        expect_whole(write, at, (status & ~HAS_FAILED) == 0);
        ck_assert_int_eq(WEXITSTATUS(lock_until(1000, EIO)), 0);
        expect_whole(write, at, true);
        ck_assert_uint_eq(scratch_count(""), 2);
    }
    ck_assert_int_gt(at, 6);
}
END_TEST

START_TEST(evo_12_a_killed_run_leaves_the_old_or_the_new_lock)
{
    size_t write = (size_t)_i;
    bool is_killed = true;
    for (int at = 0; is_killed; at++) {
        begin_write(write);
        is_killed = WIFSIGNALED(lock_until(at, FAULT_KILL));
        expect_whole(write, at, !is_killed);
        ck_assert_int_eq(WEXITSTATUS(lock_until(1000, EIO)), 0);
        expect_whole(write, at, true);
        ck_assert_uint_eq(scratch_count(""), 2);
    }
}
END_TEST

Suite *lock_suite(void)
{
    Suite *suite = suite_create("lock");
    TCase *cases = tcase_create("lock");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, scratch_create, scratch_destroy);
    tcase_add_test(cases, evo_12_a_lock_is_written_beside_the_schema_and_extended);
    tcase_add_test(cases, evo_12_a_check_writes_nothing_and_tells_whether_a_run_would);
    tcase_add_test(cases, evo_12_a_lock_is_not_written_when_something_is_lost);
    tcase_add_test(cases, evo_03_check_and_generate_fail_when_something_is_lost);
    tcase_add_test(cases, evo_01_a_renamed_thing_is_generated_alike_with_was_and_with_the_lock);
    tcase_add_test(cases, evo_12_generate_warns_when_the_lock_of_the_last_run_is_missing);
    tcase_add_test(cases, evo_12_a_new_lock_of_a_later_version_is_a_warning);
    tcase_add_test(cases, evo_02_what_saves_of_an_older_schema_lose_is_listed);
    tcase_add_test(cases, evo_02_schemas_and_locks_are_compared_alike);
    tcase_add_test(cases, evo_14_what_saves_may_have_and_the_schema_does_not_allow_is_named);
    tcase_add_test(cases, evo_14_of_what_an_earlier_format_does_not_know_nothing_is_said);
    tcase_add_test(cases, net_33_breaking_says_that_versions_can_meet);
    tcase_add_test(cases, net_33_breaking_names_what_versions_could_not_read);
    tcase_add_test(cases, net_33_breaking_needs_schemas_of_one_package);
    tcase_add_test(cases, net_33_the_hash_has_the_numbers_of_what_is_sent);
    tcase_add_test(cases, losses_are_objects_in_json);
    tcase_add_test(cases, evo_12_locks_of_two_branches_are_merged_line_by_line);
    tcase_add_test(cases, evo_12_lines_of_two_branches_that_each_add_something_are_joined);
    tcase_add_test(cases, evo_12_lines_of_two_branches_that_contradict_each_other_are_refused);
    tcase_add_loop_test(cases, evo_12_a_failed_run_leaves_the_old_or_the_new_lock, 0, 8);
    tcase_add_loop_test(cases, evo_12_a_killed_run_leaves_the_old_or_the_new_lock, 0, 2);
    suite_add_tcase(suite, cases);
    return suite;
}
