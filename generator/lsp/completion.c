// What may be written at a place: keys, words and names.
#include "generator/lsp/internal.h"

#include <assert.h>
#include <string.h>

// The kinds of items, by the protocol.
enum {
    ITEM_FIELD = 5,
    ITEM_CLASS = 7,
    ITEM_MODULE = 9,
    ITEM_PROPERTY = 10,
    ITEM_VALUE = 12,
    ITEM_ENUM_MEMBER = 20,
    ITEM_STRUCT = 22,
    ITEM_EVENT = 23,
    ITEM_FUNCTION = 3,
    ITEM_REFERENCE = 18
};

// A completion of the word at the cursor.
typedef struct completion {
    request *request;
    json_writer *writer;
    outline_node *node;   // the word, in a text that has one at the cursor
    const source *source; // that text
    span word;            // in the document
    const name_table *names;
    dictionary offered;
    bool needs_brackets; // of a list that is not begun
} completion;

// ---- items

static void append_item(completion *completion, const char *label, unsigned kind, const char *inserted,
                        const char *detail, const char *doc)
{
    json_writer *writer = completion->writer;
    if (dictionary_add(&completion->offered, label, label) != NULL)
        return;
    if (completion->needs_brackets)
        inserted = arena_format(completion->request->arena, "[%s]", inserted);
    writer_open_line(writer, '{');
    writer_set_text(writer, "label", label);
    writer_set_count(writer, "kind", kind);
    if (detail != NULL)
        writer_set_text(writer, "detail", detail);
    if (doc != NULL) {
        writer_set_open_line(writer, "documentation", '{');
        writer_set_text(writer, "kind", "markdown");
        writer_set_text(writer, "value", doc);
        writer_close(writer, '}');
    }
    writer_set_open_line(writer, "textEdit", '{');
    writer_set_range(writer, "range", completion->request->server, completion->word);
    writer_set_text(writer, "newText", inserted);
    writer_close(writer, '}');
    writer_close(writer, '}');
}

static unsigned item_kind_of(unsigned kind)
{
    switch (kind) {
    case REFERS_TO_CONTEXT:
    case REFERS_TO_NODE:
        return ITEM_MODULE;
    case REFERS_TO_COMPONENT:
    case REFERS_TO_TYPE:
        return ITEM_STRUCT;
    case REFERS_TO_FIELD:
        return ITEM_FIELD;
    case REFERS_TO_VALUE:
        return ITEM_ENUM_MEMBER;
    case REFERS_TO_BLUEPRINT:
        return ITEM_CLASS;
    case REFERS_TO_MESSAGE:
        return ITEM_EVENT;
    case REFERS_TO_SYSTEM:
        return ITEM_FUNCTION;
    default:
        return ITEM_REFERENCE;
    }
}

static void append_words(completion *completion, const char *const *words, const language_key *row)
{
    const char *doc = row == NULL ? NULL : row->doc;
    if (words == NULL)
        return;
    for (; *words != NULL; words++)
        append_item(completion, *words, ITEM_VALUE, *words, NULL, doc);
}

static void append_bools(completion *completion, const language_key *row)
{
    static const char *const words[] = {"true", "false", NULL};
    append_words(completion, words, row);
}

// ---- keys

static bool has_colon(const completion *completion)
{
    const source *source = completion->request->document->text;
    size_t at = completion->word.end;
    while (at < source->size && source->bytes[at] == ' ')
        at++;
    return at < source->size && source->bytes[at] == ':';
}

static bool is_written(const completion *completion, const char *name)
{
    if (!completion->node->is_key)
        return false;
    assert(completion->node->parent->kind == OUTLINE_MAPPING); // 2
    for (const outline_node *key = completion->node->parent->first; key != NULL; key = key->next)
        if (key != completion->node && strcmp(key->text, name) == 0)
            return true;
    return false;
}

// Returns the text that a key inserts.
static const char *key_text(const completion *completion, const char *name)
{
    if (has_colon(completion))
        return name;
    return arena_format(completion->request->arena, "%s: ", name);
}

static void append_keys(completion *completion, const language_value *mapping)
{
    bool has_brackets = completion->needs_brackets;
    assert(mapping->kind == LANGUAGE_MAPPING);
    completion->needs_brackets = false;
    for (const language_key *key = mapping->keys; key->name != NULL; key++)
        if (!is_written(completion, key->name))
            append_item(completion, key->name, ITEM_PROPERTY, key_text(completion, key->name),
                        language_phrase(completion->request->arena, key), key->doc);
    completion->needs_brackets = has_brackets;
}

// ---- names

static void append_definition(completion *completion, const occurrence *definition, const char *label, bool is_key)
{
    const char *inserted = is_key ? key_text(completion, label) : label;
    assert(definition->is_definition);
    append_item(completion, label, item_kind_of(definition->kind), inserted, names_kind(definition->kind),
                doc_of(definition));
}

// Returns whether the name is of the element of this name and kind. The owner may be NULL.
static bool is_owned_by(const occurrence *name, const char *owner, unsigned owner_kind)
{
    if (owner == NULL || name->owner_kind != owner_kind)
        return false;
    return strcmp(text_or_empty(name->owner), owner) == 0;
}

// Appends the definitions of the kinds; of fields and values, those that the owner has.
static void append_names(completion *completion, unsigned kinds, const char *owner, unsigned owner_kind, bool is_key)
{
    for (const occurrence *name = completion->names->first; name != NULL; name = name->next) {
        if (!name->is_definition || (name->kind & kinds) == 0)
            continue;
        bool is_owned = (name->kind & (REFERS_TO_FIELD | REFERS_TO_VALUE)) != 0;
        if (!is_owned || is_owned_by(name, owner, owner_kind))
            append_definition(completion, name, name->name, is_key);
    }
}

static bool is_field_of_component(const occurrence *name)
{
    return name->kind == REFERS_TO_FIELD && name->owner_kind == REFERS_TO_COMPONENT;
}

// Appends fields of components as `Name.value`: all, or those with an index, as also components have.
static void append_paths(completion *completion, bool is_index)
{
    arena *arena = completion->request->arena;
    for (const occurrence *name = completion->names->first; name != NULL; name = name->next) {
        if (!name->is_definition)
            continue;
        if (is_index && outline_find(name->node->value, "index") == NULL)
            continue;
        if (is_field_of_component(name))
            append_definition(completion, name, arena_format(arena, "%s.%s", name->owner, name->name), false);
        else if (is_index && name->kind == REFERS_TO_COMPONENT)
            append_definition(completion, name, name->name, false);
    }
}

// Appends the nodes that a schema has without a schedule.
static void append_default_nodes(completion *completion)
{
    for (const occurrence *name = completion->names->first; name != NULL; name = name->next)
        if (name->is_definition && name->kind == REFERS_TO_NODE)
            return;
    for (size_t i = 0; i < SCHEMA_DEFAULT_NODE_COUNT; i++)
        append_item(completion, schema_default_nodes[i], ITEM_MODULE, schema_default_nodes[i], "node", NULL);
}

static void append_types(completion *completion)
{
    for (const occurrence *name = completion->names->first; name != NULL; name = name->next)
        if (name->is_definition && name->kind == REFERS_TO_CONTEXT) {
            const char *type = arena_format(completion->request->arena, "entity<%s>", name->name);
            append_item(completion, type, ITEM_VALUE, type, "entity of a context", NULL);
        }
}

static void append_values_of(completion *completion, const char *type)
{
    if (type == NULL)
        return;
    if (strcmp(type, "bool") == 0)
        append_bools(completion, NULL);
    append_names(completion, REFERS_TO_VALUE, type, REFERS_TO_TYPE, false);
}

// Appends what the names of a row can refer to at the node.
static void append_references(completion *completion, const language_key *row, bool is_key)
{
    const outline_node *node = completion->node;
    unsigned kinds = row->refers_to;
    bool has_fields = (kinds & REFERS_TO_FIELD) != 0;
    bool is_field_key = has_fields && is_key;
    if (is_field_key && node->owner != NULL) {
        append_names(completion, REFERS_TO_FIELD, node->owner, node->owner_kind, true);
        return;
    }
    if (has_fields && !is_key)
        append_paths(completion, false);
    else
        append_names(completion, kinds & ~(unsigned)REFERS_TO_FIELD & ~(unsigned)REFERS_TO_TYPE, NULL, 0, is_key);
    if ((kinds & REFERS_TO_INDEX) != 0)
        append_paths(completion, true);
    if ((kinds & REFERS_TO_NODE) != 0)
        append_default_nodes(completion);
}

// ---- places

static bool begins_line(const completion *completion)
{
    const char *bytes = completion->source->bytes;
    size_t at = completion->node->place.start;
    assert(at <= completion->source->size);
    while (at > 0 && strchr("- \t", bytes[at - 1]) != NULL && bytes[at - 1] != '\0')
        at--;
    return at == 0 || bytes[at - 1] == '\n';
}

static void append_type_names(completion *completion, const language_key *row)
{
    const source *source = completion->source;
    size_t start = completion->node->place.start;
    const char *open = memchr(source->bytes + start, '<', completion->node->place.end - start);
    if (open != NULL) { // `entity<ga`
        append_names(completion, REFERS_TO_CONTEXT, NULL, 0, false);
        return;
    }
    append_words(completion, language_type.words, row);
    append_names(completion, REFERS_TO_TYPE, NULL, 0, false);
    append_types(completion);
}

static void append_value(completion *completion, const language_value *value, size_t depth)
{
    const outline_node *node = completion->node;
    const language_key *row = node->row;
    if (value == NULL || depth > 4)
        return;
    switch (value->kind) {
    case LANGUAGE_EITHER:
        append_value(completion, value->names, depth + 1);
        append_value(completion, value->items, depth + 1);
        return;
    case LANGUAGE_BOOL:
        append_bools(completion, row);
        return;
    case LANGUAGE_LIST:
        completion->needs_brackets = !begins_line(completion);
        append_value(completion, value->items, depth + 1);
        completion->needs_brackets = false;
        return;
    case LANGUAGE_MAPPING:
        if (begins_line(completion))
            append_keys(completion, value);
        return;
    case LANGUAGE_MAP:
        if (row != NULL && row->declares == 0 && begins_line(completion))
            append_references(completion, row, true);
        return;
    case LANGUAGE_ANY:
        append_values_of(completion, node->type);
        return;
    case LANGUAGE_TEXT:
        break;
    default:
        return;
    }
    bool is_type = row != NULL && (row->refers_to & REFERS_TO_TYPE) != 0;
    if (is_type)
        append_type_names(completion, row);
    else
        append_words(completion, value->words, row);
    if (row != NULL && !is_type)
        append_references(completion, row, false);
}

// Appends the fields of a component after its name and a point: `Name.va`. Returns whether that is the place.
static bool append_members(completion *completion)
{
    const source *source = completion->source;
    size_t end = completion->word.start;
    if (end == 0 || source->bytes[end - 1] != '.')
        return false;
    size_t start = --end;
    while (start > 0 && byte_is_word(source->bytes[start - 1]))
        start--;
    const char *owner = arena_copy(completion->request->arena, source->bytes + start, end - start);
    append_names(completion, REFERS_TO_FIELD, owner, REFERS_TO_COMPONENT, false);
    return true;
}

// Appends what a key may be: a field of a struct, a key of the language, or a name.
static void append_for_key(completion *completion)
{
    const outline_node *node = completion->node;
    if (node->type != NULL) {
        append_names(completion, REFERS_TO_FIELD, node->type, REFERS_TO_TYPE, true);
        return;
    }
    if (node->language != NULL && node->language->kind == LANGUAGE_MAPPING) {
        append_keys(completion, node->language);
        return;
    }
    const language_key *row = node->row;
    bool is_use = row != NULL && row->declares == 0;
    if (is_use && row->refers_to != 0)
        append_references(completion, row, true);
}

static void append_all(completion *completion)
{
    const outline_node *node = completion->node;
    if (append_members(completion))
        return;
    if (node->is_key)
        append_for_key(completion);
    else if (node->type != NULL)
        append_values_of(completion, node->type);
    else
        append_value(completion, node->choice, 0);
}

// Sets the text and the word: a letter stands where no word is. Returns an offset in the word.
static size_t place_word(completion *completion)
{
    request *request = completion->request;
    const source *source = request->document->text;
    size_t start = request->offset;
    size_t end = request->offset;
    assert(request->offset <= source->size);
    while (start > 0 && byte_is_word(source->bytes[start - 1]))
        start--;
    while (end < source->size && byte_is_word(source->bytes[end]))
        end++;
    completion->word = (span){source, start, end};
    completion->source = source;
    if (start == end) {
        text changed = text_create(request->arena);
        text_append(&changed, source->bytes, start);
        text_append_string(&changed, "q");
        text_append(&changed, source->bytes + start, source->size - start);
        completion->source = source_from_bytes(request->arena, source->path, changed.bytes, changed.size);
    }
    return size_max(start, size_min(request->offset, end));
}

// Sets the node.
static bool place(completion *completion, name_table *names)
{
    request *request = completion->request;
    size_t offset = place_word(completion);
    outline_node *outline = outline_make(request->arena, completion->source);
    names_add(names, outline);
    names_resolve(names);
    completion->node = outline_at(outline, offset);
    return completion->node != NULL;
}

// ---- content

typedef struct content_completion {
    content_editor editor;
    completion *completion;
} content_completion;

static const outline_node *find_scalar(const outline_node *mapping, const char *key)
{
    const outline_node *found = outline_find(mapping, key);
    return outline_is_scalar(found) ? found : NULL;
}

// Returns the type that a field declares: its value, or the `type` in it; NULL if there is none.
static const outline_node *declared_type(const occurrence *field)
{
    const outline_node *value = field->node->value;
    if (outline_is_scalar(value))
        return value;
    return find_scalar(value, "type");
}

// Returns what the schema says of a field, by a path such as "Local.at.x"; NULL if it says nothing.
static const occurrence *find_field(const completion *completion, const char *path)
{
    arena *arena = completion->request->arena;
    size_t size = strcspn(path, ".");
    occurrence wanted = {.kind = REFERS_TO_FIELD, .owner_kind = REFERS_TO_COMPONENT};
    const occurrence *found = NULL;
    wanted.owner = arena_copy(arena, path, size);
    while (path[size] == '.') {
        path += size + 1;
        size = strcspn(path, ".");
        wanted.name = arena_copy(arena, path, size);
        found = names_definition(completion->names, &wanted);
        if (found == NULL)
            return NULL;
        const outline_node *type = declared_type(found);
        if (type == NULL)
            return found;
        wanted.owner = arena_copy(arena, type->text, strcspn(type->text, "["));
        wanted.owner_kind = REFERS_TO_TYPE;
    }
    return found;
}

// Appends the default of a field, and the ends of its range.
static void append_defaults(completion *completion, const char *path)
{
    const occurrence *field = find_field(completion, path);
    if (field == NULL)
        return;
    const outline_node *found = find_scalar(field->node->value, "default");
    const outline_node *range = outline_find(field->node->value, "range");
    if (found != NULL)
        append_item(completion, found->text, ITEM_VALUE, found->text, "the default", doc_of(field));
    if (range == NULL || range->kind != OUTLINE_SEQUENCE)
        return;
    for (const outline_node *bound = range->first; bound != NULL; bound = bound->next)
        if (bound->kind == OUTLINE_SCALAR && bound->text[0] != '~')
            append_item(completion, bound->text, ITEM_VALUE, bound->text, "an end of its range", doc_of(field));
}

static void append_offer(content_editor *editor, const content_name *offer)
{
    static const struct {
        unsigned item;
        const char *detail;
    } kinds[] = {
        [CONTENT_PREFAB] = {ITEM_CLASS, "prefab"},       [CONTENT_BLUEPRINT] = {ITEM_CLASS, "blueprint"},
        [CONTENT_PART] = {ITEM_MODULE, "part"},          [CONTENT_KNOB] = {ITEM_PROPERTY, "knob"},
        [CONTENT_LEVEL] = {ITEM_MODULE, "level"},        [CONTENT_INSTANCE] = {ITEM_REFERENCE, "instance"},
        [CONTENT_CONTEXT] = {ITEM_MODULE, "context"},    [CONTENT_COMPONENT] = {ITEM_STRUCT, "component"},
        [CONTENT_FIELD] = {ITEM_FIELD, "field"},         [CONTENT_MEMBER] = {ITEM_FIELD, "field"},
        [CONTENT_VALUE] = {ITEM_ENUM_MEMBER, "value"},   [CONTENT_WORD] = {ITEM_PROPERTY, "key"},
        [CONTENT_DEFAULT] = {ITEM_VALUE, "the default"},
    };
    completion *completion = ((content_completion *)editor)->completion;
    const char *doc = text_or_empty(offer->doc)[0] == '\0' ? NULL : offer->doc;
    const char *inserted = offer->is_key ? key_text(completion, offer->name) : offer->name;
    assert(offer->kind < sizeof kinds / sizeof kinds[0]);
    if (offer->kind == CONTENT_DEFAULT)
        append_defaults(completion, offer->name);
    else
        append_item(completion, offer->name, kinds[offer->kind].item, inserted, kinds[offer->kind].detail, doc);
}

static void append_content(completion *completion)
{
    content_completion asked = {.editor.offer = append_offer, .completion = completion};
    size_t offset = place_word(completion);
    content_offer(completion->request, completion->source, offset, &asked.editor);
}

void answer_completion(request *request)
{
    name_table names = names_create(request->arena);
    names.base = &request->root->names;
    completion completion = {.request = request,
                             .writer = request->writer,
                             .names = &request->root->names,
                             .offered = dictionary_create(request->arena)};
    writer_open_line(request->writer, '{');
    writer_set_bool(request->writer, "isIncomplete", false);
    writer_set_open_line(request->writer, "items", '[');
    if (request->root->content != NULL)
        append_content(&completion);
    else if (place(&completion, &names))
        append_all(&completion);
    writer_close(request->writer, ']');
    writer_close(request->writer, '}');
}
