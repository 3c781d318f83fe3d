// The schema for both worlds (tests/schemas/shared/model.yaml), written a second time: the parts, the matchers of
// groups, the keys of the indices. Neither world reads it from the runtime's tables.
#ifndef KIN_TESTS_MODEL_SCHEMA_H
#define KIN_TESTS_MODEL_SCHEMA_H

#include <kin/matcher.h>

// The parts, in order of name, and so in order of id in every package.
typedef enum model_part {
    PART_ALARM,
    PART_BIG,
    PART_BIG005, // this and similar parts stand between those with a meaning
    PART_BOOK,
    PART_CELL,
    PART_COIN,
    PART_CROWN,
    PART_DIM,
    PART_DOOMED,
    PART_FADING,
    PART_FLOOR,
    PART_FLOOR006,
    PART_GONE,
    PART_KING,
    PART_KING001,
    PART_LINK,
    PART_LINK004,
    PART_NAME,
    PART_PLAIN,
    PART_RANK,
    PART_TEAM,
    PART_TURN,
    PART_ZONE,
    MODEL_PARTS
} model_part;

typedef enum model_cleanup { CLEANUP_NONE, CLEANUP_REMOVES, CLEANUP_DESTROYS } model_cleanup;

typedef struct model_trait {
    const char *name;
    bool is_flag, is_unique;
    bool is_editable;  // has edit of all its fields, and touch
    bool is_touchable; // has touch; it may not be edited as a whole
    bool is_cloned;    // is copied by clones
    model_cleanup cleanup;
    int32_t standard; // the tag of its default
} model_trait;

extern const model_trait model_traits[MODEL_PARTS];

// A conjunction of rules over sets of parts: bit `part` of `parts`.
typedef struct model_rule {
    kin_rule_kind kind;
    uint32_t parts;
} model_rule;

typedef struct model_matcher {
    uint32_t count;
    model_rule rules[8];
} model_matcher;

bool model_matches(const model_matcher *matcher, uint32_t parts);

// Whether it names the part in a rule other than none.
bool model_names_part(const model_matcher *matcher, int32_t part);

// FND-20: leaves out entities that `off` of the package switches off, unless a rule names the flag or is `only`.
struct model_package;
void model_leave_out(const struct model_package *package, model_matcher *matcher);

typedef enum model_index {
    INDEX_BOOK,
    INDEX_CELL,
    INDEX_CLAIM,
    INDEX_LINK,
    INDEX_NAME,
    INDEX_NEAR,
    INDEX_RANK,
    INDEX_SPOT,
    INDEX_TEAM,
    MODEL_INDICES
} model_index;

// An entity is in an index while it has all parts of `all` and none of `none`. Its key follows from the tags of the
// parts of `key`, one or two. If a function gives the keys, they follow from the tags that it was called with last.
typedef struct model_index_trait {
    bool is_primary, is_custom, gives;
    uint32_t all, none;
    int32_t key[2];  // parts; -1: none
    int32_t ends[2]; // tags below this give different keys
} model_index_trait;

extern const model_index_trait model_indices[MODEL_INDICES];

// The keys that the function of an index gives for the tags. Returns how many.
enum { MODEL_KEYS = 2 };
uint32_t model_give(model_index index, int32_t first, int32_t second, int64_t keys[MODEL_KEYS]);

// The key of the tags, or, if a function gives the keys, the key to look up for the tag. Equal keys are equal numbers.
enum { MODEL_NO_KEY = -1, MODEL_NAN_KEY = -2 };
int64_t model_key(model_index index, int32_t first, int32_t second);

// A generated event, in order of delivery (EVT-11).
typedef struct model_event_trait {
    int32_t part;
    bool is_any, is_removed;
} model_event_trait;

enum { MODEL_EVENTS = 14 };
extern const model_event_trait model_events[MODEL_EVENTS];

// The parts of spawned entities. One part gets other tags if many are spawned with values.
typedef struct model_blueprint {
    uint32_t parts;
    int32_t given;
    int32_t tags[MODEL_PARTS];
} model_blueprint;

enum { MODEL_BLUEPRINTS = 7, MODEL_BATCH = 70 };

// One of the packages. The first matchers are those of the declared groups, in order of name.
enum { MODEL_DECLARED = 4 };
typedef struct model_package {
    const char *name;
    uint32_t parts; // that it has
    int32_t off;    // the flag of `off`; -1: none
    const model_matcher *matchers;
    uint32_t matcher_count, declared_count;
    uint32_t index_count;
    const model_blueprint *blueprints; // in order of name
    uint32_t blueprint_count;
    const struct model_port *port;
} model_package;

enum { MODEL_PACKAGES = 5, MODEL_MATCHER_LIMIT = 32 };
extern const model_package model_packages[MODEL_PACKAGES];

// The matcher of the group that an event's system collects from.
int32_t model_event_matcher(const model_package *package, int32_t event);

// A package with additional random matchers; `matchers` has space for MODEL_MATCHER_LIMIT.
model_package model_draw_matchers(const model_package *package, uint64_t seed, model_matcher *matchers);

static inline uint32_t model_bit(int32_t part)
{
    return (uint32_t)1 << part;
}

#endif
