// Values of components: made from bytes so that a reader can distinguish a whole value from a torn or freed one.
//
// make_x draws a value; check_x fails the run if neither make_x nor a blueprint could give the value; drop_x frees
// the part of a refused value that the caller still owns.
#ifndef KIN_TESTS_FUZZ_API_VALUES_H
#define KIN_TESTS_FUZZ_API_VALUES_H

#include "harness.h"

Token make_token(void);
void check_token(Token token);

// The components of `game` that have fields: type, name in functions, name in constants.
#define COMPONENTS_PLAIN(X)                                                                                            \
    X(Pos, pos, POS)                                                                                                   \
    X(Vel, vel, VEL)                                                                                                   \
    X(Slab, slab, SLAB)                                                                                                \
    X(Crate, crate, CRATE) X(Bit, bit, BIT) X(Throne, throne, THRONE) X(Spread, spread, SPREAD)
#define COMPONENTS_KEYED(X)                                                                                            \
    X(Cell, cell, CELL)                                                                                                \
    X(Name, name, NAME)                                                                                                \
    X(Tag, tag, TAG)                                                                                                   \
    X(Number, number, NUMBER)                                                                                          \
    X(Real, real, REAL) X(Sole, sole, SOLE) X(Link, link, LINK) X(Badge, badge, BADGE) X(Strip, strip, STRIP)
#define COMPONENTS_OWNING(X) X(Owner, owner, OWNER) X(Hoard, hoard, HOARD)
// Their functions are after those of flags in the table of parts, so that older inputs keep their meaning.
#define COMPONENTS_GIVEN(X) X(Zone, zone, ZONE) X(Zeal, zeal, ZEAL) X(Zip, zip, ZIP)
#define COMPONENTS_WITH_FIELDS(X)                                                                                      \
    COMPONENTS_PLAIN(X)                                                                                                \
    COMPONENTS_KEYED(X)                                                                                                \
    COMPONENTS_OWNING(X)

#define DECLARE_VALUE(TYPE, NAME, ID)                                                                                  \
    TYPE make_##NAME(void);                                                                                            \
    void check_##NAME(const TYPE *value);                                                                              \
    void drop_##NAME(const TYPE *value);
COMPONENTS_WITH_FIELDS(DECLARE_VALUE)
COMPONENTS_GIVEN(DECLARE_VALUE)

// values_given.c: the components of indices by function. A zone that gives too many keys is refused.
enum { ZONE_KEYS_MAX = KIN_INDEX_KEYS, ZONES_TOO_MANY = KIN_INDEX_KEYS + 2 };

// Checks the component of the context that has this info; NULL passes.
void check_value(const kin_context *context, kin_component_id id, const void *value);

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
