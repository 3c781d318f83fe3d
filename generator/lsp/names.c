// Finds where files declare and use names, by the tables of the schema language.
#include "generator/lsp/internal.h"

#include <assert.h>
#include <string.h>

// A value whose meaning depends on the type of a field, which may be declared later.
typedef struct deferred_value {
    outline_node *node;
    const char *type; // NULL: that of the field
    const char *owner, *field;
    unsigned owner_kind;
    struct deferred_value *next;
} deferred_value;

// Where a walk is: inside the value of a row.
typedef struct place {
    const language_key *row; // NULL at the root
    bool is_named;           // names of the row are above: its map has been entered
    const char *owner;       // the element that has fields or values here
    unsigned owner_kind;
    size_t depth;
} place;

enum { OWNERS = REFERS_TO_COMPONENT | REFERS_TO_TYPE | REFERS_TO_MESSAGE };

static const struct {
    unsigned kind;
    const char *name;
} kinds[] = {
    {REFERS_TO_CONTEXT, "context"},
    {REFERS_TO_TYPE, "type"},
    {REFERS_TO_COMPONENT, "component"},
    {REFERS_TO_FIELD, "field"},
    {REFERS_TO_GROUP, "group"},
    {REFERS_TO_INDEX, "index"},
    {REFERS_TO_TREE, "reverse"},
    {REFERS_TO_BLUEPRINT, "blueprint"},
    {REFERS_TO_MESSAGE, "message"},
    {REFERS_TO_NODE, "node"},
    {REFERS_TO_SYSTEM, "system"},
    {REFERS_TO_VALUE, "value"},
    {NAMES_PREFAB, "prefab"},
    {NAMES_PART, "part"},
    {NAMES_KNOB, "knob"},
    {NAMES_LEVEL, "level"},
    {NAMES_INSTANCE, "instance"},
};

const char *names_kind(unsigned kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].kind == kind)
            return kinds[i].name;
    return "name";
}

// ---- the table

name_table names_create(arena *arena)
{
    return (name_table){.arena = arena, .definitions = dictionary_create(arena), .types = dictionary_create(arena)};
}

// Returns a letter for each kind.
static char letter_of(unsigned kind)
{
    char letter = 'A';
    for (; kind != 0; kind >>= 1)
        letter++;
    return letter;
}

// Returns the key of a name in the dictionaries: letters for its kinds, its owner, a point and itself.
static const char *key_of(const name_table *table, const occurrence *name)
{
    const char *owner = text_or_empty(name->owner);
    size_t owner_size = strlen(owner);
    size_t size = strlen(name->name);
    char *key = arena_allocate(table->arena, owner_size + size + 4);
    key[0] = letter_of(name->kind);
    key[1] = letter_of(name->owner_kind);
    memcpy(key + 2, owner, owner_size);
    key[2 + owner_size] = '.';
    memcpy(key + 3 + owner_size, name->name, size);
    return key;
}

void names_add_one(name_table *table, const occurrence *found)
{
    occurrence *added = arena_allocate(table->arena, sizeof *added);
    assert(found->kind != 0 && (found->kind & (found->kind - 1)) == 0); // one kind
    assert(found->place.start <= found->place.end);
    *added = *found;
    added->next = NULL;
    if (table->last != NULL)
        table->last->next = added;
    else
        table->first = added;
    table->last = added;
    if (added->node->naming == NULL)
        added->node->naming = added;
    if (added->is_definition)
        dictionary_add(&table->definitions, key_of(table, added), added);
}

const occurrence *names_definition(const name_table *table, const occurrence *use)
{
    const char *key = key_of(table, use);
    const occurrence *found = dictionary_find(&table->definitions, key);
    if (found == NULL && table->base != NULL)
        found = dictionary_find(&table->base->definitions, key);
    return found;
}

static const char *type_of_field(const name_table *table, unsigned owner_kind, const char *owner, const char *field)
{
    const occurrence name = {.kind = REFERS_TO_FIELD, .name = field, .owner = owner, .owner_kind = owner_kind};
    const char *key = key_of(table, &name);
    const char *type = dictionary_find(&table->types, key);
    if (type == NULL && table->base != NULL)
        type = dictionary_find(&table->base->types, key);
    return type;
}

bool names_are_same(const occurrence *a, const occurrence *b)
{
    bool is_same_kind = a->kind == b->kind && a->owner_kind == b->owner_kind;
    if (!is_same_kind || strcmp(a->name, b->name) != 0)
        return false;
    return strcmp(text_or_empty(a->owner), text_or_empty(b->owner)) == 0;
}

const occurrence *names_at(const name_table *table, const source *source, size_t offset)
{
    for (const occurrence *name = table->first; name != NULL; name = name->next) {
        if (span_has(name->place, offset) && strcmp(name->place.source->path, source->path) == 0)
            return name;
    }
    return NULL;
}

const char *doc_of(const occurrence *definition)
{
    const outline_node *doc = outline_find(definition->node->value, "doc");
    if (doc == NULL || doc->kind != OUTLINE_SCALAR)
        return NULL;
    return doc->text;
}

// ---- names in scalars

// Returns the place of a part of a scalar's text; its escapes are not counted.
static span part_of(const outline_node *scalar, size_t offset, size_t size)
{
    size_t start = scalar->place.start + offset + outline_is_quoted(scalar);
    start = size_min(start, scalar->place.end);
    return (span){scalar->place.source, start, size_min(start + size, scalar->place.end)};
}

static bool has_word(const language_value *value, const char *word)
{
    if (value->words == NULL)
        return false;
    for (const char *const *words = value->words; *words != NULL; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

// Returns the first of the kinds that a name may be; 0 if none.
static unsigned first_kind(unsigned refers_to, const unsigned *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((refers_to & kinds[i]) != 0)
            return kinds[i];
    return 0;
}

// Returns the kind of thing that a name can be, by its case, among those that it may be; 0 if none.
static unsigned kind_of_word(unsigned refers_to, const char *word, bool is_part)
{
    static const unsigned uppers[] = {REFERS_TO_COMPONENT, REFERS_TO_TYPE,   REFERS_TO_BLUEPRINT,
                                      REFERS_TO_MESSAGE,   REFERS_TO_SYSTEM, REFERS_TO_INDEX};
    static const unsigned lowers[] = {REFERS_TO_CONTEXT, REFERS_TO_GROUP, REFERS_TO_INDEX, REFERS_TO_TREE,
                                      REFERS_TO_NODE};
    bool is_upper = byte_is_upper(word[0]);
    if (is_part)
        return is_upper ? 0 : REFERS_TO_FIELD;
    if (!is_upper)
        return first_kind(refers_to, lowers, sizeof lowers / sizeof lowers[0]);
    unsigned kind = first_kind(refers_to, uppers, sizeof uppers / sizeof uppers[0]);
    if (kind == REFERS_TO_INDEX) // that of a component
        return REFERS_TO_COMPONENT;
    return kind;
}

static size_t word_size(const char *text)
{
    size_t size = 0;
    while (byte_is_word(text[size]))
        size++;
    return size;
}

// Returns whether a word of a scalar is a type of the language; in `entity<game>` the second one is none.
static bool is_scalar_type(const outline_node *node, const char *at, const occurrence *use, unsigned refers_to)
{
    if ((refers_to & REFERS_TO_TYPE) == 0 || !has_word(&language_type, use->name))
        return false;
    return at == node->text || at[-1] != '<';
}

// Adds what the words of a scalar refer to: `Name.value`, `entity<game>`, `Item[4]`.
static void add_uses(name_table *table, outline_node *node, unsigned refers_to)
{
    occurrence earlier = {0};
    for (const char *at = node->text; *at != '\0';) {
        const char *word = at;
        size_t size = word_size(word);
        at += size_max(size, 1);
        if (size == 0)
            continue;
        occurrence use = {.name = arena_copy(table->arena, word, size), .node = node};
        bool follows_point = word > node->text && word[-1] == '.';
        bool is_part = follows_point && earlier.name != NULL;
        use.place = part_of(node, (size_t)(word - node->text), size);
        use.kind = kind_of_word(refers_to, use.name, is_part);
        if (is_part) {
            use.owner = earlier.name;
            use.owner_kind = earlier.kind;
        }
        if (use.kind == 0 || is_scalar_type(node, word, &use, refers_to))
            continue;
        names_add_one(table, &use);
        earlier = use;
    }
}

static void add_definition(name_table *table, outline_node *node, const place *place)
{
    occurrence name = {.kind = place->row->declares, .name = node->text, .node = node, .is_definition = true};
    bool has_owner = (name.kind & (REFERS_TO_FIELD | REFERS_TO_VALUE)) != 0;
    if (has_owner) {
        name.owner = place->owner;
        name.owner_kind = place->owner_kind;
    }
    name.place = part_of(node, 0, strlen(node->text));
    if (node->text[0] != '\0' && !node->is_partial)
        names_add_one(table, &name);
}

// ---- the walk

static const language_value *pick(const language_value *value, const outline_node *node);

static bool fits(const language_value *value, const outline_node *node)
{
    switch (value->kind) {
    case LANGUAGE_LIST:
        return node->kind == OUTLINE_SEQUENCE;
    case LANGUAGE_MAP:
    case LANGUAGE_MAPPING:
        return node->kind == OUTLINE_MAPPING;
    case LANGUAGE_ANY:
        return true;
    case LANGUAGE_EITHER:
        return pick(value, node) != NULL;
    default:
        return node->kind == OUTLINE_SCALAR;
    }
}

// Returns whether the node has all keys that the mapping requires.
static bool has_required_keys(const language_value *mapping, const outline_node *node)
{
    for (const language_key *key = mapping->keys; key->name != NULL; key++) {
        const outline_node *found = node->first;
        while (found != NULL && strcmp(found->text, key->name) != 0)
            found = found->next;
        if (key->is_required && found == NULL)
            return false;
    }
    return true;
}

// Returns the choice that the node makes; of two lists, the one whose items fit. NULL if none fits.
static const language_value *pick(const language_value *value, const outline_node *node)
{
    const language_value *choices[] = {value->names, value->items};
    assert(value->kind == LANGUAGE_EITHER);
    for (size_t i = 0; i < 2; i++) {
        const language_value *choice = choices[i];
        if (!fits(choice, node))
            continue;
        bool is_other = choice->kind == LANGUAGE_MAP && choices[1 - i]->kind == LANGUAGE_MAPPING;
        if (is_other && has_required_keys(choices[1 - i], node)) // `{ tree: parts, nodes: { ... } }`
            continue;
        bool has_items = choice->kind == LANGUAGE_LIST && node->first != NULL;
        if (has_items && !fits(choice->items, node->first))
            continue;
        if (choice->kind == LANGUAGE_EITHER)
            return pick(choice, node);
        return choice;
    }
    return NULL;
}

static void walk(name_table *table, outline_node *node, const language_value *value, const place *place);

static void defer(name_table *table, outline_node *node, const char *type, const place *place, const char *field)
{
    deferred_value *deferred = arena_allocate(table->arena, sizeof *deferred);
    *deferred = (deferred_value){
        .node = node, .type = type, .owner = place->owner, .owner_kind = place->owner_kind, .field = field};
    deferred->next = table->deferred;
    table->deferred = deferred;
}

// Notes the type of a field that the key declares.
static void note_type(name_table *table, const outline_node *key, const place *place)
{
    const outline_node *type = key->value;
    if (type != NULL && type->kind == OUTLINE_MAPPING)
        type = outline_find(type, "type");
    if (place->owner == NULL || !outline_is_scalar(type))
        return;
    const occurrence name = {
        .kind = REFERS_TO_FIELD, .name = key->text, .owner = place->owner, .owner_kind = place->owner_kind};
    dictionary_add(&table->types, key_of(table, &name), type->text);
}

static void walk_mapping(name_table *table, outline_node *node, const language_value *value, const place *outer)
{
    for (outline_node *key = node->first; key != NULL; key = key->next) {
        const language_key *row = language_find(value, key->text);
        place inner = *outer;
        inner.row = row;
        inner.is_named = false;
        inner.depth++;
        key->language = value;
        key->row = row;
        if (row == NULL || key->value == NULL)
            continue;
        const outline_node *type = outline_find(node, "type");
        bool is_of_field = value == &language_field && row->value->kind == LANGUAGE_ANY;
        if (is_of_field && outline_is_scalar(type))
            defer(table, key->value, type->text, &inner, NULL);
        walk(table, key->value, row->value, &inner);
    }
}

// Walks an entry of a map: its key declares a name, or refers to one, and begins what is inside of it.
static void walk_entry(name_table *table, outline_node *key, const language_value *value, const place *outer)
{
    place inner = *outer;
    const language_key *row = outer->row;
    assert(key->is_key && row != NULL && value->kind == LANGUAGE_MAP);
    key->language = value->names;
    key->row = row;
    key->owner = outer->owner;
    key->owner_kind = outer->owner_kind;
    inner.is_named = true;
    inner.depth++;
    if (!outer->is_named && row->declares != 0) {
        add_definition(table, key, outer);
        if (row->declares == REFERS_TO_FIELD)
            note_type(table, key, outer);
    } else if (!outer->is_named && row->refers_to != 0) {
        add_uses(table, key, row->refers_to);
    } else if (outer->owner != NULL && (row->refers_to & REFERS_TO_FIELD) != 0) {
        occurrence use = {.kind = REFERS_TO_FIELD,
                          .name = key->text,
                          .owner = outer->owner,
                          .owner_kind = outer->owner_kind,
                          .place = part_of(key, 0, strlen(key->text)),
                          .node = key};
        names_add_one(table, &use);
    }
    const occurrence *name = key->naming;
    if (name != NULL && (name->kind & OWNERS) != 0) {
        inner.owner = name->name;
        inner.owner_kind = name->kind;
    }
    if (key->value == NULL)
        return;
    if (value->items->kind == LANGUAGE_ANY)
        defer(table, key->value, NULL, outer, key->text);
    walk(table, key->value, value->items, &inner);
}

static void walk_scalar(name_table *table, outline_node *node, const place *place)
{
    const language_key *row = place->row;
    if (row == NULL)
        return;
    if (row->declares != 0 && !place->is_named) {
        add_definition(table, node, place);
        return;
    }
    bool is_text = node->language != NULL && node->language->kind == LANGUAGE_TEXT;
    if (is_text && row->refers_to != 0)
        add_uses(table, node, row->refers_to);
}

// Recursive, as deep as the outline.
static void walk(name_table *table, outline_node *node, const language_value *value, const place *outer)
{
    node->language = value;
    node->choice = value;
    node->row = outer->row;
    node->owner = outer->owner;
    node->owner_kind = outer->owner_kind;
    if (value->kind == LANGUAGE_EITHER && node->kind != OUTLINE_SCALAR)
        value = pick(value, node);
    else if (value->kind == LANGUAGE_EITHER && pick(value, node) != NULL)
        node->language = pick(value, node);
    if (value == NULL || outer->depth > 2 * OUTLINE_DEPTH_LIMIT)
        return;
    if (node->kind == OUTLINE_SCALAR) {
        walk_scalar(table, node, outer);
        return;
    }
    node->language = value;
    if (!fits(value, node))
        return;
    for (outline_node *item = node->first; item != NULL && value->kind == LANGUAGE_LIST; item = item->next) {
        place inner = *outer;
        inner.depth++;
        walk(table, item, value->items, &inner);
    }
    if (value->kind == LANGUAGE_MAPPING)
        walk_mapping(table, node, value, outer);
    for (outline_node *key = node->first; key != NULL && value->kind == LANGUAGE_MAP; key = key->next)
        walk_entry(table, key, value, outer);
}

void names_add(name_table *table, outline_node *root)
{
    walk(table, root, &language_file, &(place){0});
}

// ---- values of fields

// Returns the name of the type without what makes it an array or a list.
static const char *element_of(arena *arena, const char *type)
{
    return arena_copy(arena, type, word_size(type));
}

// Finds values of enums and fields of structs in a value. Recursive, as deep as the outline.
static void resolve(name_table *table, outline_node *node, const char *type)
{
    if (type == NULL)
        return;
    const char *element = element_of(table->arena, type);
    node->type = element;
    occurrence use = {.owner = element, .owner_kind = REFERS_TO_TYPE, .node = node};
    if (node->kind == OUTLINE_SCALAR) {
        use.kind = REFERS_TO_VALUE;
        use.name = node->text;
        use.place = part_of(node, 0, strlen(node->text));
        if (names_definition(table, &use) != NULL)
            names_add_one(table, &use);
        return;
    }
    for (outline_node *item = node->first; item != NULL; item = item->next) {
        if (node->kind == OUTLINE_SEQUENCE) {
            resolve(table, item, type);
            continue;
        }
        use.kind = REFERS_TO_FIELD;
        use.name = item->text;
        use.place = part_of(item, 0, strlen(item->text));
        use.node = item;
        item->type = element;
        if (names_definition(table, &use) != NULL)
            names_add_one(table, &use);
        if (item->value != NULL)
            resolve(table, item->value, type_of_field(table, REFERS_TO_TYPE, element, item->text));
    }
}

void names_resolve(name_table *table)
{
    for (const deferred_value *value = table->deferred; value != NULL; value = value->next) {
        const char *type = value->type;
        if (type == NULL && value->owner != NULL)
            type = type_of_field(table, value->owner_kind, value->owner, value->field);
        resolve(table, value->node, type);
    }
    table->deferred = NULL;
}
