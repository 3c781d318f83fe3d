// Matrix: what becomes of the values of a save when the schema changes, and what kin says of that beforehand.
//
// Each row is a schema, a value that its program saves, later schemas, what kin says of each, and what the last program
// reads. The lock is written between them. Rows come in pairs: a change without its word, and with it.
#include "../suites.h"
#include "generator/base/base.h"
#include "generator/reading.h"
#include "version_case.h"

#include <kin/reflect.h>

#include <inttypes.h>

#include <stdlib.h>
#include <string.h>

typedef struct row {
    const char *before, *values; // "A.x=5 B": paths of fields and their values, and flags
    const char *now, *codes;
    const char *read; // the description of the entity, or the code of the refusal
} row;

#define C(components)        "components: { " components " }\n"
#define T(types, components) "types: { " types " }\ncomponents: { " components " }\n"
#define ONE(field)           C("A: { fields: { x: " field " } }")
#define GONE(path)           "removed: [" path "]\n"
#define E(values)            T("E: { values: [" values "] }", "A: { fields: { x: E } }")
#define V(fields)            T("V: { fields: { " fields " } }", "A: { fields: { x: V } }")

static const row rows[] = {
    // components: added, removed, renamed, exchanged, used again
    {C("A: {}"), "A", C("A: {}, B: {}"), "", "A"},
    {C("A: {}, B: {}"), "A B", C("A: {}"), "K1201", "K1305"},
    {C("A: {}, B: {}"), "A B", GONE("B") C("A: {}"), "", "A"},
    {C("A: {}"), "A", C("B: {}"), "K1201", "K1305"},
    {C("A: {}"), "A", C("B: { was: A }"), "", "B"},
    {C("A: {}, B: {}"), "A", C("A: { was: B }, B: { was: A }"), "", "B"},
    {C("A: {}, B: {}"), "A B", GONE("A") C("B: {}"), "", "B"},
    {C("A: {}, B: {}"), "A", C("B: { was: A }"), "K1201", "K1305"},
    {C("A: {}, B: {}"), "A", GONE("B") C("B: { was: A }"), "", "B"},
    {C("A: {}"), "A", C("A: { was: A2 }, B: { was: A }"), "", "B"},
    {C("A: {}"), "A", C("A: { fields: { x: int8 } }"), "", "A {x: 0}"},
    {ONE("int8"), "A.x=5", C("A: {}"), "K1201", "K1305"},
    {ONE("int8"), "A.x=5", GONE("A.x") C("A: {}"), "", "A"},
    {ONE("int8"), "A.x=5", C("A: { save: false, fields: { x: int8 } }"), "K1201", "K1305"},
    {ONE("int8"), "A.x=5", GONE("A") C("A: { save: false, fields: { x: int8 } }"), "", ""},
    {C("A: {}"), "A", C("A: { unique: true }"), "K1208", "A"},
    {ONE("int8"), "A.x=5", C("A: { storage: boxed, fields: { x: int8 } }"), "", "A {x: 5}"},
    {C("A: { fields: { x: int8, y: int16 } }"), "A.x=5 A.y=6", C("A: { layout: soa, fields: { x: int8, y: int16 } }"),
     "", "A {x: 5, y: 6}"},
    // fields: the same, and reordered
    {ONE("int8"), "A.x=5", C("A: { fields: { y: int8, x: int8 } }"), "", "A {y: 0, x: 5}"},
    {C("A: { fields: { x: int8, y: int16 } }"), "A.x=5 A.y=6", C("A: { fields: { y: int16, x: int8 } }"), "",
     "A {y: 6, x: 5}"},
    {C("A: { fields: { x: int8, y: int8 } }"), "A.x=5 A.y=6", ONE("int8"), "K1201", "K1305"},
    {C("A: { fields: { x: int8, y: int8 } }"), "A.x=5 A.y=6", GONE("A.y") ONE("int8"), "", "A {x: 5}"},
    {ONE("int8"), "A.x=5", C("A: { fields: { y: int8 } }"), "K1201", "K1305"},
    {ONE("int8"), "A.x=5", C("A: { fields: { y: { type: int8, was: x } } }"), "", "A {y: 5}"},
    {ONE("int8"), "A.x=5", C("A: { fields: { y: { type: int8, was: xx } } }"), "K1203 K1201", "K1305"},
    {C("A: { fields: { x: int8, y: int8 } }"), "A.x=5 A.y=6",
     C("A: { fields: { x: { type: int8, was: y }, y: { type: int8, was: x } } }"), "", "A {x: 6, y: 5}"},
    {C("A: { fields: { x: int8, y: int8 } }"), "A.x=5 A.y=6",
     GONE("A.x") C("A: { fields: { x: { type: int8, was: y } } }"), "", "A {x: 6}"},
    {ONE("int8"), "A.x=5", C("B: { was: A, fields: { y: { type: int8, was: x } } }"), "", "B {y: 5}"},
    {C("A: { fields: { x: int8, y: int8 } }"), "A.x=5 A.y=6",
     C("A: { fields: { x: int8, y: { type: int8, save: false } } }"), "K1201", "K1305"},
    {C("A: { fields: { x: int8, y: int8 } }"), "A.x=5 A.y=6",
     GONE("A.y") C("A: { fields: { x: int8, y: { type: int8, save: false } } }"), "", "A {x: 5, y: 0}"},
    {ONE("int32"), "A.x=5", ONE("{ type: int32, doc: x, default: 9, unit: m }"), "", "A {x: 5}"},
    // types that have room, and types that have none: a value that fits, one that does not, and a migration
    {ONE("int8"), "A.x=-5", ONE("int64"), "", "A {x: -5}"},
    {ONE("int8"), "A.x=-5", ONE("float"), "", "A {x: -5}"},
    {ONE("bool"), "A.x=1", ONE("uint16"), "", "A {x: 1}"},
    {ONE("bool"), "A.x=1", ONE("double"), "", "A {x: 1}"},
    {ONE("int32"), "A.x=5", ONE("int16"), "K1202", "A {x: 5}"},
    {ONE("int32"), "A.x=70000", ONE("int16"), "K1202", "K1306"},
    {ONE("int32"), "A.x=70000", C("A: { migrate: true, fields: { x: int16 } }"), "", "A {x: 0}"},
    {ONE("int8"), "A.x=-5", ONE("uint8"), "K1202", "K1306"},
    {ONE("int32"), "A.x=16777217", ONE("float"), "K1202", "K1306"},
    {ONE("int32"), "A.x=16777216", ONE("float"), "K1202", "A {x: 16777216}"},
    {ONE("float"), "A.x=5", ONE("int64"), "K1202", "K1306"},
    {ONE("float"), "A.x=5", C("A: { migrate: true, fields: { x: int64 } }"), "", "A {x: 0}"},
    {ONE("string"), "A.x=abc", ONE("int32"), "K1202", "K1306"},
    {ONE("string"), "A.x=abc", C("A: { migrate: true, fields: { x: int32 } }"), "", "A {x: 0}"},
    {ONE("string"), "A.x=abc", ONE("'string[3]'"), "K1202", "A {x: \"abc\"}"},
    {ONE("string"), "A.x=abcd", ONE("'string[3]'"), "K1202", "K1306"},
    {ONE("'string[3]'"), "A.x=abc", ONE("string"), "", "A {x: \"abc\"}"},
    {ONE("'int8[2]'"), "A.x[0]=5 A.x[1]=6", ONE("'int16[3]'"), "", "A {x: [5, 6, 0]}"},
    {ONE("'int8[2]'"), "A.x[0]=5", ONE("'int8[1]'"), "K1202", "A {x: [5]}"},
    {ONE("'int8[2]'"), "A.x[1]=5", ONE("'int8[1]'"), "K1202", "K1306"},
    {ONE("'int8[3]'"), "A.x[0]=5 A.x[1]=6", ONE("'int8[2]'"), "K1202", "A {x: [5, 6]}"},
    {ONE("'int8[3]'"), "A.x[2]=5", ONE("'int8[2]'"), "K1202", "K1306"},
    {ONE("'int8[3]'"), "A.x[0]=4 A.x[2]=5", C("A: { migrate: true, fields: { x: 'int8[2]' } }"), "", "A {x: [4, 0]}"},
    {ONE("int8"), "A.x=5", ONE("'int8[2]'"), "", "A {x: [5, 0]}"},
    {ONE("'int8[2]'"), "A.x[0]=5 A.x[1]=6", ONE("'int8[]'"), "", "A {x: [5, 6]}"},
    // members of structs
    {V("e: int8, n: int8"), "A.x.e=5 A.x.n=6", V("n: int8, e: int8"), "", "A {x: {n: 6, e: 5}}"},
    {V("e: int8"), "A.x.e=5", V("e: int8, n: int8"), "", "A {x: {e: 5, n: 0}}"},
    {V("e: int8, n: int8"), "A.x.e=5 A.x.n=6", V("e: int8"), "K1201", "K1305"},
    {V("e: int8, n: int8"), "A.x.e=5 A.x.n=6", GONE("A.x.n") V("e: int8"), "", "A {x: {e: 5}}"},
    {V("e: int8"), "A.x.e=5", V("f: int8"), "K1201", "K1305"},
    {V("e: int8"), "A.x.e=5", V("f: { type: int8, was: e }"), "", "A {x: {f: 5}}"},
    {V("e: int8, n: int8"), "A.x.e=5 A.x.n=6", V("e: { type: int8, was: n }, n: { type: int8, was: e }"), "",
     "A {x: {e: 6, n: 5}}"},
    {V("e: int8"), "A.x.e=5", V("e: int16"), "", "A {x: {e: 5}}"},
    {V("e: int16"), "A.x.e=500", V("e: int8"), "K1202", "K1306"},
    {V("e: int8"), "A.x.e=5", ONE("int8"), "K1202", "K1305"},
    {V("e: int8"), "A.x.e=5", C("A: { migrate: true, fields: { x: int8 } }"), "", "A {x: 0}"},
    {ONE("int8"), "A.x=5", V("e: int8"), "K1202", "K1305"},
    {ONE("int8"), "A.x=5", T("V: { fields: { e: int8 } }", "A: { migrate: true, fields: { x: V } }"), "",
     "A {x: {e: 0}}"},
    {V("e: int8"), "A.x.e=5", T("V: { fields: { e: int8 } }", "A: { fields: { x: 'V[2]' } }"), "",
     "A {x: [{e: 5}, {e: 0}]}"},
    // values of enums
    {E("R, G"), "A.x=1", E("G, B, R"), "", "A {x: G}"},
    {E("R, G"), "A.x=1", E("R"), "K1201", "K1306"},
    {E("R, G"), "A.x=0", E("R"), "K1201", "A {x: R}"},
    {E("R, G"), "A.x=1", GONE("A.x.G") E("R"), "", "A {x: R}"},
    {E("R, G"), "A.x=1", T("E: { values: [R] }", "A: { migrate: true, fields: { x: E } }"), "", "A {x: R}"},
    {E("R, G"), "A.x=1", E("R, H"), "K1201", "K1306"},
    {E("R, G"), "A.x=1", E("R, H: { was: G }"), "", "A {x: H}"},
    {E("R, G"), "A.x=1", E("R: { was: G }, G: { was: R }"), "", "A {x: R}"},
    {E("R, G"), "A.x=1", ONE("uint8"), "", "A {x: 1}"},
    {ONE("uint8"), "A.x=1", E("R, G"), "K1202", "A {x: G}"},
    {ONE("uint8"), "A.x=2", E("R, G"), "K1202", "K1306"},
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

typedef struct chain {
    const char *versions[MODEL_INFO_VERSIONS]; // each reads what the one before has written
    const char *values, *read;
} chain;

static const chain chains[] = {
    {{ONE("int8"), C("A: { fields: { y: { type: int8, was: x } } }"),
      C("A: { fields: { z: { type: int8, was: y } } }")},
     "A.x=5",
     "A {z: 5}"},
    {{ONE("int8"), C("A: { fields: { y: { type: int8, was: x } } }"), C("A: { fields: { y: int8 } }"),
      C("A: { fields: { x: { type: int8, was: y } } }"), ONE("int8")},
     "A.x=5",
     "A {x: 5}"},
    {{ONE("int8"), ONE("int16"), ONE("int32"), ONE("double")}, "A.x=5", "A {x: 5}"},
    {{C("A: { fields: { x: int8, y: int8 } }"),
      C("A: { fields: { x: { type: int8, was: y }, y: { type: int8, was: x } } }"),
      C("A: { fields: { x: int8, y: int8 } }"),
      C("A: { fields: { y: { type: int8, was: x }, x: { type: int8, was: y } } }")},
     "A.x=5 A.y=6",
     "A {y: 5, x: 6}"}, // `was` is the first name, if both are names
    {{C("A: {}, B: {}"), C("A: { was: B }, B: { was: A }"), C("A: {}, B: {}"), C("B: {}, C: { was: A }")}, "A", "B"},
    {{C("A: {}, B: {}"), GONE("B") C("A: {}"), C("A: {}, B: { was: B2 }"), C("A: {}, B: {}")}, "A B", "A"},
    {{C("A: {}, D: {}"), C("B: { was: A }, D: {}"), GONE("B") C("D: {}")}, "A D", "D"},
    {{C("A: {}"), C("B: { was: A }, A: { was: A2 }"), C("B: {}, A: {}")}, "A", "B"},
    {{E("R, G"), E("R, H: { was: G }"), E("H, R"), E("I: { was: H }, R")}, "A.x=1", "A {x: I}"},
    {{E("R, G"), GONE("A.x.R") E("G"), E("G, R: { was: R2 }")}, "A.x=1", "A {x: G}"},
    {{V("e: int8"), V("f: { type: int8, was: e }"), V("f: int16"), V("g: { type: int32, was: f }")},
     "A.x.e=5",
     "A {x: {g: 5}}"},
    {{V("e: int8"), V("f: { type: int8, was: e }"), V("f: int8, e: { type: int8, was: e2 }"), V("e: int8, f: int8")},
     "A.x.e=5",
     "A {x: {e: 0, f: 5}}"},
};

enum { CHAIN_COUNT = sizeof chains / sizeof *chains };

// ---- changes after which a value may be less than before

typedef struct narrowing {
    const char *before;
    const char *values; // of entities: "A.x=5 / A.x=@1 / -1": the second names the first, which is destroyed at last
    const char *now;
    const char *said; // codes and the summary
    const char *read; // what the entities have, and what was counted; or the code of the refusal
} narrowing;

#define LINK(key)        C("A: { fields: { x: { type: entity<game>" key " }, n: int8 } }, B: {}")
#define MIGRATED(key)    C("A: { migrate: true, fields: { x: { type: entity<game>" key " }, n: int8 } }, B: {}")
#define HANDLE           LINK("")
#define STORED(how, key) C("A: { " how ", fields: { x: { type: entity<game>" key " }, n: int8, s: string } }, B: {}")

#define INDEX(rules) "indices: { at: { kind: primary, key: [A.x]" rules " } }\n"
#define KEYED(rules) C("A: { fields: { x: int8 } }, B: {}") INDEX(rules)

#define FLAGS(values) T("E: { values: { " values " } }", "A: { fields: { x: E } }")

static const narrowing narrowings[] = {
    // an entity becomes a relation: a holder of a target that is not alive, and one of a target that is
    {HANDLE, "B / A.n=5 A.x=@1 / A.n=6 A.x=@2 / -1", LINK(", on_destroy: clear"),
     "K1208: 1 change narrows what saves may have (A.x: relation)",
     "A {x: no entity, n: 5} / A {x: entity 2 in slot 1, n: 6}, 1 converted"},
    {HANDLE, "B / A.n=5 A.x=@1 / A.n=6 A.x=@2 / -1", LINK(", on_destroy: refuse"),
     "K1208: 1 change narrows what saves may have (A.x: relation)",
     "A {x: no entity, n: 5} / A {x: entity 2 in slot 1, n: 6}, 1 converted"},
    {HANDLE, "B / B A.n=5 A.x=@1 / A.n=6 A.x=@2 / -1", LINK(", on_destroy: remove"),
     "K1208: 1 change narrows what saves may have (A.x: relation)", "B / A {x: entity 2 in slot 1, n: 6}, 1 dropped"},
    {HANDLE, "B / B A.n=5 A.x=@1 / A.n=6 A.x=@2 / B / -1", LINK(", on_destroy: destroy"),
     "K1208: 1 change narrows what saves may have (A.x: relation)", "B, 3 dropped"},
    {HANDLE, "B / A.n=5 A.x=@1 / A.n=6 A.x=@2 / -1", LINK(", reverse: xs, tree: true"),
     "K1208 K1208: 2 changes narrow what saves may have (A.x: relation, A.x: tree)", ", 2 dropped"},
    {HANDLE, "B / A.n=5 A.x=@1 / A.n=6 A.x=@2 / -1", MIGRATED(", on_destroy: clear"),
     "1 change keeps data (changed: A.x: relation)",
     "A {x: no entity, n: 5} / A {x: entity 2 in slot 1, n: 6}, 1 converted, 2 migrated"},
    // the same in columns of other layouts
    {STORED("storage: boxed", ""), "B / A.s=a A.x=@1 / A.s=b A.x=@2 / -1",
     STORED("storage: boxed", ", on_destroy: clear"), "K1208: 1 change narrows what saves may have (A.x: relation)",
     "A {x: no entity, n: 0, s: \"a\"} / A {x: entity 2 in slot 1, n: 0, s: \"b\"}, 1 converted"},
    {STORED("storage: shared", ""), "B / A.s=a A.x=@1 / A.s=a A.x=@1 / A.s=a A.x=@2 / -1",
     STORED("storage: shared", ", on_destroy: refuse"), "K1208: 1 change narrows what saves may have (A.x: relation)",
     "A {x: no entity, n: 0, s: \"a\"} / A {x: no entity, n: 0, s: \"a\"} / A {x: entity 2 in slot 1, n: 0, s: \"a\"}, "
     "2 converted"},
    {STORED("storage: shared", ""), "B / A.s=a A.x=@1 / A.s=a A.x=@1 / A.s=a A.x=@2 / -1",
     STORED("storage: shared", ", on_destroy: remove"), "K1208: 1 change narrows what saves may have (A.x: relation)",
     "A {x: entity 2 in slot 1, n: 0, s: \"a\"}, 2 dropped"},
    {HANDLE, "B / A.n=5 A.x=@1 / A.n=6 A.x=@2 / -1",
     C("A: { layout: soa, fields: { x: { type: entity<game>, on_destroy: clear }, n: int8 } }, B: {}"),
     "K1208: 1 change narrows what saves may have (A.x: relation)",
     "A {x: no entity, n: 5} / A {x: entity 2 in slot 1, n: 6}, 1 converted"},
    {STORED("stash: true", ""), "B / A.s=a A.x=@1 A / A.s=b A.x=@2 / -1", STORED("stash: true", ", on_destroy: clear"),
     "K1208: 1 change narrows what saves may have (A.x: relation)", "A {x: entity 2 in slot 1, n: 0, s: \"b\"}"},
    // a relation becomes a tree, or gets another policy
    {LINK(", reverse: xs"), "A.n=5 A.x=@2 / A.n=6 A.x=@1", LINK(", reverse: xs, tree: true"),
     "K1208: 1 change narrows what saves may have (A.x: tree)", "K1308"},
    {LINK(", reverse: xs"), "A.n=5 A.x=@2 / B", LINK(", reverse: xs, tree: true"),
     "K1208: 1 change narrows what saves may have (A.x: tree)", "A {x: entity 2 in slot 1, n: 5} / B; xs: 1"},
    {LINK(", reverse: xs"), "A.n=5 A.x=@2 / B A.n=6 A.x=@1", MIGRATED(", reverse: xs, tree: true"),
     "1 change keeps data (changed: A.x: tree)", "A {x: entity 2 in slot 1, n: 5} / B; xs: 1, 2 migrated"},
    {HANDLE, "A.n=5 A.x=@2 / A.n=6 A.x=@3 / A.n=7 / -3", LINK(", on_destroy: destroy"),
     "K1208: 1 change narrows what saves may have (A.x: relation)", ", 2 dropped"},
    {LINK(", reverse: xs"), "A.n=5 A.x=@2 / A.n=6 A.x=@1", MIGRATED(", reverse: xs, tree: true"),
     "1 change keeps data (changed: A.x: tree)", "K1308"},
    // keys and components that are there once
    {ONE("int8"), "A.x=5 / A.x=5", ONE("{ type: int8, index: primary }"),
     "K1208: 1 change narrows what saves may have (A.x: primary key)", "K1308"},
    {ONE("int8"), "A.x=5 / A.x=6", ONE("{ type: int8, index: primary }"),
     "K1208: 1 change narrows what saves may have (A.x: primary key)", "A {x: 5} / A {x: 6}"},
    {ONE("int8"), "A.x=5 / A.x=5", C("A: { migrate: true, fields: { x: { type: int8, index: primary } } }"),
     "1 change keeps data (changed: A.x: primary key)", "K1308"},
    {ONE("int8"), "A.x=5 / A.x=6", C("A: { migrate: true, fields: { x: { type: int8, index: primary } } }"),
     "1 change keeps data (changed: A.x: primary key)", "A {x: 5} / A {x: 6}"},
    {ONE("int8"), "A.x=5 / A.x=6", C("A: { unique: true, fields: { x: int8 } }"),
     "K1208: 1 change narrows what saves may have (A: unique)", "K1308"},
    {ONE("int8"), "A.x=5", C("A: { unique: true, fields: { x: int8 } }"),
     "K1208: 1 change narrows what saves may have (A: unique)", "A {x: 5}"},
    {C("A: { fields: { x: int8 } }, B: {}"), "A.x=5 / A.x=6 B",
     C("A: { unique: true, migrate: true, fields: { x: int8 } }, B: {}"), "1 change keeps data (changed: A: unique)",
     "A {x: 5} / B, 2 migrated"},
    {C("A: { fields: { x: int8 } }, B: {}"), "A.x=5 / A.x=5 B",
     C("A: { migrate: true, fields: { x: { type: int8, index: primary } } }, B: {}"),
     "1 change keeps data (changed: A.x: primary key)", "A {x: 5} / B, 2 migrated"},
    // entities that had no key
    {KEYED(", none: [B]"), "A.x=5 / B A.x=5", KEYED(""), "K1208: 1 change narrows what saves may have (A.x: condition)",
     "K1308"},
    {KEYED(", all: [B]"), "A.x=5 / B A.x=5", KEYED(""), "K1208: 1 change narrows what saves may have (A.x: condition)",
     "K1308"},
    {KEYED(", all: [B]"), "A.x=5 / A.x=6 B", KEYED(""), "K1208: 1 change narrows what saves may have (A.x: condition)",
     "A {x: 5} / A {x: 6}, B"},
    {KEYED(", none: [B]"), "A.x=5 / B A.x=5", GONE("B") C("A: { fields: { x: int8 } }") INDEX(""),
     "K1208: 1 change narrows what saves may have (A.x: condition), 1 removed: B", "K1308"},
    {KEYED(", none: [B]"), "A.x=5 / B A.x=5", C("A: { migrate: true, fields: { x: int8 } }, B: {}") INDEX(""),
     "1 change keeps data (changed: A.x: condition)", "A {x: 5} / B, 2 migrated"},
    {KEYED(""), "A.x=5 / A.x=6 B", KEYED(", none: [B]"), "saves can be read as before", "A {x: 5} / A {x: 6}, B"},
    {KEYED(", none: [B]"), "A.x=5 / B A.x=5", C("A: { fields: { x: int8 } }, D: { was: B }") INDEX(", none: [D]"),
     "1 change keeps data (renamed: B)", "A {x: 5} / A {x: 5}, D"},
    // an enum whose numbers move: a value, and a combination of flags
    {FLAGS("Open: 1, Locked: 2"), "A.x=2 / A.x=3 / A.x=8", FLAGS("Broken: 1, Open: 2, Locked: 4"),
     "K1208: 1 change narrows what saves may have (A.x: numbers), 1 change keeps data (new: A.x.Broken)",
     "A {x: Locked} / A {x: 6} / A {x: 8}, 3 converted"},
    {FLAGS("Open: 1, Locked: 2"), "A.x=2 / A.x=3", FLAGS("Open: 1, Locked: 2, Broken: 4"),
     "1 change keeps data (new: A.x.Broken)", "A {x: Locked} / A {x: 3}"},
    {FLAGS("Open: 1, Locked: 2"), "A.x=2 / A.x=3", GONE("A.x.Locked") FLAGS("Open: 4"),
     "K1208: 1 change narrows what saves may have (A.x: numbers), 1 removed: A.x.Locked",
     "A {x: 0} / A {x: Open}, 2 converted"},
    {FLAGS("Open: 1, Locked: 2"), "A.x=1 / A.x=3", FLAGS("Open: 1"), "K1201: 1 change loses data", "K1306"},
    {FLAGS("Open: 1, Locked: 2"), "A.x=2 / A.x=3",
     T("E: { values: { Open: 2, Locked: 4 } }", "A: { migrate: true, fields: { x: E } }"),
     "1 change keeps data (changed: A.x: numbers)", "A {x: Locked} / A {x: 6}, 2 converted, 2 migrated"},
    {E("R, G, B"), "A.x=2 / A.x=1", E("G, B, R"), "saves can be read as before", "A {x: B} / A {x: G}, 2 converted"},
    {E("None, Open, Locked"), "A.x=2 / A.x=3", FLAGS("None: 0, Broken: 1, Open: 2, Locked: 4"),
     "K1208: 1 change narrows what saves may have (A.x: numbers), 1 change keeps data (new: A.x.Broken)",
     "A {x: Locked} / A {x: 6}, 2 converted"},
    {FLAGS("Low: 10, High: 20"), "A.x=10 / A.x=15", FLAGS("Low: 11, High: 20"),
     "K1208: 1 change narrows what saves may have (A.x: numbers)", "A {x: Low} / A {x: 15}, 2 converted"},
    // ranges
    {ONE("{ type: int8, range: [0, 9] }"), "A.x=9", ONE("{ type: int8, range: [0, 8] }"),
     "K1208: 1 change narrows what saves may have (A.x: range 0..8)", "A {x: 9}"},
    {ONE("{ type: int8, range: [0, 9] }"), "A.x=9", ONE("{ type: int8, range: [-1, 9] }"),
     "saves can be read as before", "A {x: 9}"},
    {ONE("int8"), "A.x=9", ONE("{ type: int8, range: [0, 8] }"),
     "K1208: 1 change narrows what saves may have (A.x: range 0..8)", "A {x: 9}"},
    {ONE("{ type: int8, range: [0, 9] }"), "A.x=9", ONE("int8"), "saves can be read as before", "A {x: 9}"},
    {ONE("{ type: double, range: [0, 0.75] }"), "A.x=0.7", ONE("{ type: double, range: [0, 0.5] }"),
     "K1208: 1 change narrows what saves may have (A.x: range 0.0..0.5)", "A {x: 0.7}"},
    {T("V: { fields: { e: { type: int8, range: [0, 9] } } }", "A: { fields: { x: V } }"), "A.x.e=9",
     T("V: { fields: { e: { type: int8, range: [0, 8] } } }", "A: { fields: { x: V } }"),
     "K1208: 1 change narrows what saves may have (A.x.e: range 0..8)", "A {x: {e: 9}}"},
    {ONE("int8"), "A.x=9", C("A: { migrate: true, fields: { x: { type: int8, range: [0, 8] } } }"),
     "1 change keeps data (changed: A.x: range 0..8)", "A {x: 9}"},
    // values that were put aside
    {STORED("stash: true", ""), "A.s=a A / A.s=b", STORED("stash: false", ""),
     "K1208: 1 change narrows what saves may have (A: no stash)", "A {x: no entity, n: 0, s: \"b\"}, 1 dropped"},
};

enum { NARROWING_COUNT = sizeof narrowings / sizeof *narrowings };

enum { ENTITY_LIMIT = 8 };
static kin_entity entities[ENTITY_LIMIT + 1]; // from 1
static kin_entity entity;

// ---- values

static kin_field_value value_of(kin_type type, const char *word)
{
    kin_field_value value = {.type = type};
    if (type == KIN_TYPE_STRING || type == KIN_TYPE_INLINE_STRING)
        value.as.string = word;
    else if (type == KIN_TYPE_FLOAT || type == KIN_TYPE_DOUBLE)
        value.as.number = strtod(word, NULL);
    else if (type == KIN_TYPE_BOOL)
        value.as.boolean = *word == '1';
    else if (type == KIN_TYPE_ENTITY)
        value.as.entity = entities[word[1] - '0'];
    else
        value.as.integer = strtoll(word, NULL, 10); // natural has the same bits
    return value;
}

// Writes the number of an enum, which need not be one of its values, to the only field of a component.
static kin_status write_number(kin_context *context, kin_component_id id, int32_t number)
{
    return kin_replace(context, entity, id, &number);
}

// Sets one value, such as "A.x=5", of which it may write over the letters; or a flag.
static void set_value(kin_context *context, char *word)
{
    const kin_context_info *info = kin_context_info_of(context);
    char *equals = strchr(word, '='), *point = strchr(word, '.');
    kin_field_value old;
    static char zero[256];
    if (point != NULL)
        *point = *equals = '\0';
    kin_component_id id = kin_component_find(info, word);
    ck_assert_msg(id != KIN_NO_COMPONENT, "%s", word);
    if (point == NULL && info->components[id].size > 0) {
        ck_assert_int_eq(kin__component_stash(context, entity, id), KIN_OK);
        return;
    }
    if (point == NULL) {
        ck_assert_int_eq(kin_set_flag(context, entity, id, true), KIN_OK);
        return;
    }
    if (kin_get(context, entity, id) == NULL)
        ck_assert_int_eq(kin_add(context, entity, id, zero), KIN_OK);
    ck_assert_int_eq(kin_field_read(context, entity, id, point + 1, &old), KIN_OK);
    kin_status status = old.type == KIN_TYPE_ENUM
                            ? write_number(context, id, atoi(equals + 1))
                            : kin_field_write(context, entity, id, point + 1, value_of(old.type, equals + 1));
    ck_assert_msg(status == KIN_OK, "%s", past_case_error);
}

static void set_values(kin_context *context, const char *values)
{
    char *words = arena_format(reading_arena(), "%s", values);
    entity = kin_create(context);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
        set_value(context, word);
}

// Returns what the entity has, or the code of the refusal.
static const char *described(size_t version, kin_status status)
{
    char text[512];
    const char *code = strstr(past_case_error, "[K13");
    if (status != KIN_OK)
        return code == NULL ? past_case_error : arena_format(reading_arena(), "%.5s", code + 1);
    size_t length = kin_describe_entity(version_case_contexts[version], entity, text, sizeof text);
    ck_assert_uint_lt(length, sizeof text);
    const char *components = strchr(text, '('); // "entity 1 in slot 0 (A {x: 5})"
    if (components == NULL)
        return "";
    components++;
    return arena_format(reading_arena(), "%.*s", (int)(strlen(components) - 1), components);
}

START_TEST(evo_02_evo_03_evo_04_evo_05_evo_06_evo_07_values_are_what_kin_has_said)
{
    const row *row = &rows[_i];
    const char *lock = version_case_make(row->before, NULL, 0);
    set_values(version_case_contexts[0], row->values);
    version_case_write(0);
    reading_begin();
    version_case_make(row->now, lock, 1);
    ck_assert_msg(strcmp(version_case_codes(), row->codes) == 0, "%s%s%s", row->before, row->now, reading_printed());
    const char *read = described(1, version_case_read(1, true));
    ck_assert_msg(strcmp(read, row->read) == 0, "%s%s%s\n%s", row->before, row->now, read, past_case_error);
}
END_TEST

static const struct {
    const char *before, *values, *now, *text;
} refused[] = {
    {ONE("int32"), "A.x=70000", ONE("int16"), "has the value 70000, which does not fit its current type"},
    {ONE("double"), "A.x=0.1", ONE("float"), "has the value 0.1"},
    {ONE("string"), "A.x=abcd", ONE("'string[3]'"), "A.x of entity 1 in slot 0 has a value, which does not fit"},
    {E("R, G"), "A.x=1", E("R"), "has the value 'G', which is not in its enum; write 'was' at its new name"},
    {ONE("int8"), "A.x=5", E("R, G"), "has the value 5, which is the number of no value of its enum"},
    {ONE("string"), "A.x=abc", ONE("int32"), "it has A.x (was string, is int32), whose types cannot be converted"},
    {C("A: { fields: { x: int8, y: string } }"), "A.x=1", C("A: { fields: { x: 'int8[]', y: float } }"),
     "it has A.y (was string, is float), whose"},
};

// Makes the entities of "A.x=5 / A.x=@1 / -1".
static void set_all_values(kin_context *context, const char *values)
{
    char *rest = arena_format(reading_arena(), "%s", values);
    for (size_t i = 1; i <= ENTITY_LIMIT; i++)
        entities[i] = kin_create(context);
    for (size_t i = 1; rest != NULL; i++) {
        char *words = rest, *end = strchr(rest, '/');
        rest = end == NULL ? NULL : end + 1;
        if (end != NULL)
            *end = '\0';
        entity = entities[i];
        for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
            if (word[0] == '-')
                kin_destroy(context, entities[word[1] - '0']);
            else
                set_value(context, word);
        }
    }
}

static void append_count(text *text, const char *word, uint64_t count)
{
    if (count > 0)
        text_append_format(text, ", %" PRIu64 " %s", count, word);
}

// Returns what all entities have, and what was counted.
static const char *all_described(kin_status status)
{
    text text = text_create(reading_arena());
    const kin_read_report *report = &version_case_report;
    if (status != KIN_OK)
        return described(1, status);
    for (size_t i = 1; i <= ENTITY_LIMIT; i++) {
        entity = entities[i];
        const char *own = described(1, status);
        if (own[0] != '\0')
            text_append_format(&text, "%s%s", text.size == 0 ? "" : " / ", own);
    }
    append_count(&text, "converted", report->converted);
    append_count(&text, "defaulted", report->defaulted);
    append_count(&text, "dropped", report->dropped);
    append_count(&text, "migrated", report->migrated);
    ck_assert_uint_eq(report->entities, kin__entity_count(version_case_contexts[1]));
    return text.bytes;
}

static void check_narrowing(const narrowing *row)
{
    const char *lock = version_case_make(row->before, NULL, 0);
    set_all_values(version_case_contexts[0], row->values);
    version_case_write(0);
    reading_begin();
    version_case_make(row->now, lock, 1);
    const char *said = arena_format(reading_arena(), "%s%s%s", version_case_codes(),
                                    version_case_codes()[0] == '\0' ? "" : ": ", version_case_summary);
    ck_assert_msg(strcmp(said, row->said) == 0, "SAID%s%s%s", row->before, row->now, said);
    const char *read = all_described(version_case_read(1, true));
    ck_assert_msg(strcmp(read, row->read) == 0, "%s%s%s\n%s", row->before, row->now, read, past_case_error);
}

START_TEST(evo_13_evo_14_what_a_narrower_schema_does_to_values_is_said_and_counted)
{
    check_narrowing(&narrowings[_i]);
}
END_TEST

// What the table of docs/saving.md says of each change. A row without schemas names a test of another suite.
static const struct {
    const char *change;
    narrowing row;
} promises[] = {
    {"a new component, field or enum value; another order of anything",
     {T("E: { values: [R, G] }", "A: { fields: { x: E } }"), "A.x=1",
      T("E: { values: [G, B, R] }", "C: {}, A: { fields: { y: int8, x: E } }"),
      "3 changes keep data (new: A.y, A.x.B, C)", "A {y: 0, x: G}, 1 converted, 1 defaulted"}},
    {"another name, with `was`",
     {ONE("int8"), "A.x=5", C("B: { was: A, fields: { y: { type: int8, was: x } } }"),
      "2 changes keep data (renamed: A, A.x)", "B {y: 5}"}},
    {"something removed and listed in `removed`: `Mana`, `Health.armor`, `Team.side.Red`, a context `scene`",
     {C("A: { fields: { x: int8, y: int8 } }, B: {}"), "A.x=5 A.y=6 B", GONE("B, A.y") ONE("int8"), "2 removed: A.y, B",
      "A {x: 5}, 2 dropped"}},
    {"a component leaves a context, listed as `scene.Health`",
     {.said = "evo_03_a_component_that_leaves_a_context_is_lost_there"}},
    {"a type that can hold all former values: [the list](rules.md#27-evolution-evo)",
     {ONE("int8"), "A.x=-5", ONE("int64"), "1 change keeps data (changed: A.x (int8 to int64))",
      "A {x: -5}, 1 converted"}},
    {"any other type", {ONE("int32"), "A.x=70000", ONE("int16"), "K1202: 1 change loses data", "K1306"}},
    {"a flag that gets fields",
     {C("A: {}"), "A", ONE("int8"), "1 change keeps data (new: A.x)", "A {x: 0}, 1 defaulted"}},
    {"a new `unique`, primary key or tree",
     {ONE("int8"), "A.x=5 / A.x=5", ONE("{ type: int8, index: primary }"),
      "K1208: 1 change narrows what saves may have (A.x: primary key)", "K1308"}},
    {"a primary key gets more entities, as `all` or `none` of the index lost a component",
     {KEYED(", none: [B]"), "A.x=5 / B A.x=5", KEYED(""),
      "K1208: 1 change narrows what saves may have (A.x: condition)", "K1308"}},
    {"an entity becomes a [relation](relations.md)",
     {HANDLE, "B / A.n=5 A.x=@1 / -1", LINK(", on_destroy: clear"),
      "K1208: 1 change narrows what saves may have (A.x: relation)", "A {x: no entity, n: 5}, 1 converted"}},
    {"numbers of an enum move",
     {FLAGS("Open: 1, Locked: 2"), "A.x=2 / A.x=3 / A.x=8", FLAGS("Open: 2, Locked: 4"),
      "K1208: 1 change narrows what saves may have (A.x: numbers)",
      "A {x: Locked} / A {x: 6} / A {x: 8}, 3 converted"}},
    {"a `range` that shrinks or is new",
     {ONE("int8"), "A.x=9", ONE("{ type: int8, range: [0, 8] }"),
      "K1208: 1 change narrows what saves may have (A.x: range 0..8)", "A {x: 9}"}},
    {"a `capacity` of an inbox that shrinks or is new",
     {.said = "evo_10_an_inbox_loses_the_messages_that_it_has_no_room_for"}},
    {"`stash` is removed",
     {STORED("stash: true", ""), "A.s=a A / A.s=b", STORED("stash: false", ""),
      "K1208: 1 change narrows what saves may have (A: no stash)", "A {x: no entity, n: 0, s: \"b\"}, 1 dropped"}},
    {"a system with another name, without `was`", {.said = "evo_10_a_new_system_begins_as_in_a_new_world"}},
    {"`storage`, `layout`, groups, indices, defaults, names of types",
     {V("e: int8"), "A.x.e=5",
      T("W: { fields: { e: { type: int8, default: 9 } } }",
        "A: { storage: boxed, fields: { x: W } }") "groups: { all: { all: [A] } }\n",
      "saves can be read as before", "A {x: {e: 5}}"}},
};

enum { PROMISE_COUNT = sizeof promises / sizeof *promises };

START_TEST(evo_14_the_page_of_saving_says_what_becomes_of_saves)
{
    static char page[64 * 1024];
    FILE *stream = fopen("docs/saving.md", "r");
    ck_assert_ptr_nonnull(stream);
    page[fread(page, 1, sizeof page - 1, stream)] = '\0';
    fclose(stream);
    char *table = strstr(page, "| change | earlier saves |\n");
    ck_assert_ptr_nonnull(table);
    *strstr(table, "\n\n") = '\0';
    size_t rows = 0;
    for (const char *line = table; line != NULL; line = strchr(line + 1, '\n'))
        rows++;
    ck_assert_uint_eq(rows, PROMISE_COUNT + 2); // the head, and the dashes
    char *cell = arena_format(reading_arena(), "\n| %s | ", promises[_i].change);
    ck_assert_msg(strstr(table, cell) != NULL, "%s", cell);
    if (promises[_i].row.before != NULL)
        check_narrowing(&promises[_i].row);
    else
        ck_assert_int_eq(
            system(arena_format(reading_arena(), "grep -rqF 'START_TEST(%s)' tests", promises[_i].row.said)), 0);
}
END_TEST

START_TEST(evo_05_a_refusal_names_the_value_or_the_types)
{
    const char *lock = version_case_make(refused[_i].before, NULL, 0);
    set_values(version_case_contexts[0], refused[_i].values);
    version_case_write(0);
    reading_begin();
    version_case_make(refused[_i].now, lock, 1);
    ck_assert_int_eq(version_case_read(1, false), KIN_ERROR_SHAPE);
    ck_assert_msg(strstr(past_case_error, refused[_i].text) != NULL, "%s", past_case_error);
}
END_TEST

START_TEST(evo_01_values_stay_through_many_versions)
{
    const chain *chain = &chains[_i];
    const char *lock = version_case_make(chain->versions[0], NULL, 0);
    size_t version = 0;
    kin_status status = KIN_OK;
    set_values(version_case_contexts[0], chain->values);
    for (; version + 1 < MODEL_INFO_VERSIONS && chain->versions[version + 1] != NULL && status == KIN_OK; version++) {
        version_case_write(version);
        lock = version_case_make(chain->versions[version + 1], lock, version + 1);
        ck_assert_msg(strcmp(version_case_codes(), "") == 0, "%s", reading_printed());
        status = version_case_read(version + 1, true);
    }
    ck_assert_msg(strcmp(described(version, status), chain->read) == 0, "%s", described(version, status));
}
END_TEST

Suite *save_matrix_suite(void)
{
    Suite *suite = suite_create("save_matrix");
    TCase *tests = tcase_create("matrix");
    tcase_add_checked_fixture(tests, version_case_begin, version_case_end);
    tcase_add_loop_test(tests, evo_02_evo_03_evo_04_evo_05_evo_06_evo_07_values_are_what_kin_has_said, 0, ROW_COUNT);
    tcase_add_loop_test(tests, evo_13_evo_14_what_a_narrower_schema_does_to_values_is_said_and_counted, 0,
                        NARROWING_COUNT);
    tcase_add_loop_test(tests, evo_14_the_page_of_saving_says_what_becomes_of_saves, 0, PROMISE_COUNT);
    tcase_add_loop_test(tests, evo_05_a_refusal_names_the_value_or_the_types, 0, sizeof refused / sizeof *refused);
    tcase_add_loop_test(tests, evo_01_values_stay_through_many_versions, 0, CHAIN_COUNT);
    suite_add_tcase(suite, tests);
    return suite;
}
