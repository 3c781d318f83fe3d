// Reads the text of a lock.
#include "generator/evolve/internal.h"

#include <assert.h>
#include <string.h>

enum { WORD_LIMIT = 8, DEPTH_LIMIT = 128 }; // words of a line, names of a path

typedef struct words {
    const char *items[WORD_LIMIT + 1]; // terminated by NULL
    span spans[WORD_LIMIT];
    size_t count;
} words;

typedef struct parser {
    arena *arena;
    diagnostics *diagnostics;
    lock *lock;
    span line;
    bool is_broken;
} parser;

// The parts of a line.
typedef struct entry {
    const char *path, *name;
    span span;
    bool is_removed;
    lock_names contexts;
    const lock_type *types, *type;
    const char *value;
} entry;

static const char magic[] = "kin lock ";

bool lock_is_one(const source *source)
{
    return strncmp(source->bytes + source->line_starts[0], magic, strlen(magic)) == 0; // after a byte order mark
}

static bool is_merge_mark(const parser *parser)
{
    static const char *const marks[] = {"<<<<<<<", "=======", ">>>>>>>"};
    const char *line = parser->line.source->bytes + parser->line.start;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(line, marks[i], 7) == 0)
            return true;
    return false;
}

static bool refuse(parser *parser, span span, const char *what)
{
    parser->is_broken = true;
    if (is_merge_mark(parser)) {
        diagnostic_error(parser->diagnostics, CODE_LOCK, parser->line, "the lock has conflict markers of a merge");
        diagnostic_hint(parser->diagnostics, "keep the lines of both sides, and remove the markers");
        return false;
    }
    diagnostic_error(parser->diagnostics, CODE_LOCK, span, "%s", what);
    diagnostic_hint(parser->diagnostics, "restore the lock from version control; 'kin lock' writes it");
    return false;
}

static bool split(parser *parser, words *words)
{
    const source *source = parser->line.source;
    assert(source != NULL);
    *words = (struct words){.count = 0};
    for (size_t at = parser->line.start; at < parser->line.end;) {
        size_t size = strcspn(source->bytes + at, " \r\n");
        span place = {source, at, at + size};
        bool has_room = words->count < WORD_LIMIT && place.end <= parser->line.end;
        if (size == 0 || !has_room)
            return refuse(parser, parser->line, "this is not a line of a lock");
        words->items[words->count] = arena_copy(parser->arena, source->bytes + at, size);
        words->spans[words->count++] = place;
        at += size + (source->bytes[at + size] == ' ');
    }
    return words->count > 0 || refuse(parser, parser->line, "a lock has no empty lines");
}

// Returns the kind of a line, and the number of its word with the path.
static lock_kind kind_of(const words *words, size_t *path)
{
    assert(words->count > 0);
    *path = 1;
    for (int kind = 0; kind < LOCK_KIND_COUNT && words->count > 1; kind++) {
        const char *word = lock_notation_of((lock_kind)kind)->word;
        if (word[0] != '\0' && strcmp(words->items[0], word) == 0)
            return (lock_kind)kind;
    }
    *path = 0;
    return LOCK_COMPONENT;
}

// Returns the number of names in the path; 0 if it is invalid.
static size_t path_depth(const char *path)
{
    size_t depth = 1;
    bool begins = true;
    for (; *path != '\0'; path++) {
        bool ends = *path == '.';
        if (ends && begins)
            return 0;
        if (!ends && !byte_is_word(*path))
            return 0;
        begins = ends;
        depth += ends;
    }
    if (begins || depth > DEPTH_LIMIT)
        return 0;
    return depth;
}

static bool is_path(lock_kind kind, const char *path)
{
    const lock_notation *notation = lock_notation_of(kind);
    if (notation->is_key)
        return true;
    size_t depth = path_depth(path);
    bool may_be_deep = notation->has_types || notation->is_flat;
    if (may_be_deep)
        return depth > 0;
    return depth == 1;
}

// Reads `= NAME NOW [TYPE NOW]`, from the name on.
static bool read_now(parser *parser, lock_kind kind, const words *words, size_t *at, entry *entry)
{
    entry->name = words->items[*at];
    if (entry->name == NULL || path_depth(entry->name) != path_depth(entry->path))
        return refuse(parser, parser->line, "the name after '=' needs as many parts as the path");
    const char *word = words->items[++*at];
    bool has_type = word != NULL && strcmp(word, "removed") != 0;
    if (!has_type || !lock_notation_of(kind)->has_types)
        return true;
    entry->type = lock_read_types(parser->arena, word);
    if (entry->type == NULL || entry->type->next != NULL)
        return refuse(parser, words->spans[*at], arena_format(parser->arena, "'%s' is not a type", word));
    entry->types = lock_join_types(parser->arena, entry->types, entry->type);
    ++*at;
    return true;
}

// Reads contexts and types. Lines of removed things may lack both.
static bool read_shape(parser *parser, lock_kind kind, const words *words, size_t *at, entry *entry)
{
    const lock_notation *notation = lock_notation_of(kind);
    bool is_last = words->items[*at] != NULL && words->items[*at + 1] == NULL;
    bool is_removed = is_last && strcmp(words->items[*at], "removed") == 0;
    bool is_bare = is_removed && kind != LOCK_PRIMARY;
    if (!is_bare && notation->has_contexts) {
        const char *word = words->items[(*at)++];
        const char *rest = NULL;
        if (word != NULL)
            rest = lock_read_names(parser->arena, word, "", &entry->contexts);
        if (rest == NULL || *rest != '\0')
            return refuse(parser, parser->line, "a line of a lock lacks its contexts");
    }
    if (!is_bare && notation->has_types) {
        const char *word = words->items[*at];
        if (word == NULL)
            return refuse(parser, parser->line, "a line of a lock lacks its type");
        entry->types = lock_read_types(parser->arena, word);
        if (entry->types == NULL)
            return refuse(parser, words->spans[*at], arena_format(parser->arena, "'%s' is not a type", word));
        if (entry->types->next == NULL)
            entry->type = entry->types;
        ++*at;
    }
    return true;
}

static bool read_number(const char *digits, uint32_t *number)
{
    *number = 0;
    if (*digits == '\0')
        return false;
    for (; *digits != '\0'; digits++) {
        uint32_t digit = (uint32_t)(*digits - '0');
        if (!byte_is_digit(*digits) || *number > (UINT32_MAX - digit) / 10)
            return false;
        *number = 10 * *number + digit;
    }
    return true;
}

// Returns whether a word is two bounds, such as "0..100", "-1.5..~".
static bool is_range(const char *word)
{
    if (word[strspn(word, "+-0123456789.einfa~")] != '\0')
        return false;
    const char *dots = strstr(word, "..");
    if (dots == NULL)
        return false;
    return dots != word && dots[2] != '\0';
}

// Returns whether a word is a number of messages, or `~`.
static bool is_capacity(const char *word)
{
    uint32_t capacity;
    if (strcmp(word, "~") == 0)
        return true;
    return read_number(word, &capacity) && capacity > 0;
}

// Returns whether a word is components such as "!Gone,Solid", or several such lists with `|` in between.
static bool is_condition(const char *word)
{
    while (true) {
        word += *word == '!';
        if (!byte_is_word(*word))
            return false;
        while (byte_is_word(*word))
            word++;
        if (*word == '\0')
            return true;
        if (*word != ',' && *word != '|')
            return false;
        word++;
    }
}

static bool read_value(parser *parser, lock_kind kind, const char *word, entry *entry)
{
    static bool (*const are_valid[])(const char *word) = {
        [LOCK_VALUE_RANGE] = is_range, [LOCK_VALUE_CAPACITY] = is_capacity, [LOCK_VALUE_CONDITION] = is_condition};
    static const char *const faults[] = {[LOCK_VALUE_RANGE] = "a range is not like '0..100'",
                                         [LOCK_VALUE_CAPACITY] = "a capacity is not like '16'",
                                         [LOCK_VALUE_CONDITION] = "a condition is not like '!Gone,Solid'"};
    lock_value value = lock_notation_of(kind)->value;
    assert(value != LOCK_VALUE_NONE && (size_t)value < sizeof faults / sizeof *faults);
    if (word == NULL || !are_valid[value](word))
        return refuse(parser, parser->line, faults[value]);
    entry->value = word;
    return true;
}

static bool read_entry(parser *parser, lock_kind kind, const words *words, size_t at, entry *entry)
{
    assert(at < words->count);
    *entry = (struct entry){.path = words->items[at], .name = words->items[at], .span = words->spans[at]};
    if (!is_path(kind, entry->path))
        return refuse(parser, entry->span, arena_format(parser->arena, "'%s' is not a path", entry->path));
    at++;
    if (!read_shape(parser, kind, words, &at, entry))
        return false;
    if (lock_notation_of(kind)->value != LOCK_VALUE_NONE) {
        if (!read_value(parser, kind, words->items[at], entry))
            return false;
        at++;
    }
    if (words->items[at] != NULL && strcmp(words->items[at], "=") == 0) {
        at++;
        if (!read_now(parser, kind, words, &at, entry))
            return false;
    }
    entry->is_removed = words->items[at] != NULL && strcmp(words->items[at], "removed") == 0;
    if (words->items[at + entry->is_removed] != NULL)
        return refuse(parser, words->spans[at + entry->is_removed], "a line of a lock ends before this");
    if (entry->is_removed)
        entry->type = NULL;
    else if (lock_notation_of(kind)->has_types && entry->type == NULL)
        return refuse(parser, parser->line, "a line of a lock lacks the current type");
    return true;
}

static void report_twice(parser *parser, span span, struct span earlier, const char *path, const char *other)
{
    parser->is_broken = true;
    if (other == NULL)
        diagnostic_error(parser->diagnostics, CODE_SAVED_TWICE, span, "'%s' has two meanings in the lock", path);
    else
        diagnostic_error(parser->diagnostics, CODE_SAVED_TWICE, span, "'%s' has two meanings in the lock: %s", path,
                         other);
    diagnostic_note(parser->diagnostics, earlier, "the other line is here");
    diagnostic_hint(parser->diagnostics, "keep the line that matches the schema, and delete the other");
}

// Sets the current name of the node. Removed lines have none.
static void name_node(parser *parser, lock_node *node, const entry *entry, const char *name)
{
    bool is_renamed = strcmp(node->name, node->identity) != 0;
    bool is_named = node->span.source != NULL && lock_is_live(node);
    if (entry->is_removed || strcmp(node->name, name) == 0)
        return;
    if (is_renamed || is_named)
        report_twice(parser, entry->span, node->span, node->identity,
                     arena_format(parser->arena, "it is '%s' and '%s' now", node->name, name));
    node->name = name;
}

static lock_node *descend(parser *parser, lock_kind kind, const entry *entry)
{
    const char *path = entry->path;
    const char *names = entry->name;
    lock_list *list = &parser->lock->nodes[kind];
    if (lock_notation_of(kind)->is_flat)
        return lock_add(parser->arena, list, path);
    lock_node *node = NULL;
    while (path[0] != '\0') {
        node = lock_add(parser->arena, list, lock_next_name(parser->arena, &path));
        name_node(parser, node, entry, lock_next_name(parser->arena, &names));
        bool is_unknown = !node->has_line && !lock_is_live(node);
        bool is_better = is_unknown && !entry->is_removed;
        if (node->span.source == NULL || is_better)
            node->span = entry->span;
        list = &node->children;
    }
    return node;
}

static bool is_same_line(const parser *parser, span earlier)
{
    span other = source_line(earlier.source, source_position_of(earlier.source, earlier.start).line);
    size_t size = parser->line.end - parser->line.start;
    const char *bytes = parser->line.source->bytes;
    return other.end - other.start == size && memcmp(bytes + other.start, bytes + parser->line.start, size) == 0;
}

// Whether no name has two current names.
static bool names_agree(const lock_names *a, const lock_names *b)
{
    for (size_t i = 0; i < b->count; i++) {
        const lock_name *other = lock_find_name(a, b->names[i].identity);
        const lock_name *name = &b->names[i];
        if (other == NULL || other->name == name->name)
            continue;
        if (other->name == NULL || name->name == NULL)
            return false;
        if (strcmp(other->name, name->name) != 0)
            return false;
        bool have_numbers = other->has_number && name->has_number;
        if (have_numbers && other->number != name->number)
            return false;
    }
    return true;
}

static bool types_agree(const lock_type *a, const lock_type *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    if (!lock_type_is_like(a, b))
        return false;
    return !lock_type_is_enum(a) || names_agree(&a->values, &b->values);
}

// Adds what a second line of the same path has: two branches may each have added an enum value or a context.
static bool join_line(parser *parser, lock_node *node, const entry *entry)
{
    bool has_value = entry->value != NULL;
    assert(node->has_line);
    if (has_value || entry->is_removed != node->is_removed)
        return false;
    if (!types_agree(node->type, entry->type) || !names_agree(&node->contexts, &entry->contexts))
        return false;
    node->contexts = lock_join_names(parser->arena, &node->contexts, &entry->contexts);
    for (const lock_type *type = entry->types; type != NULL; type = type->next)
        node->types = lock_join_types(parser->arena, node->types, type);
    return true;
}

static void add_line(parser *parser, const words *words)
{
    size_t path;
    lock_kind kind = kind_of(words, &path);
    entry entry;
    if (!read_entry(parser, kind, words, path, &entry))
        return;
    size_t errors = diagnostics_error_count(parser->diagnostics);
    lock_node *node = descend(parser, kind, &entry);
    if (diagnostics_error_count(parser->diagnostics) > errors)
        return;
    if (node->has_line) {
        if (!is_same_line(parser, node->span) && !join_line(parser, node, &entry))
            report_twice(parser, entry.span, node->span, entry.path, NULL);
        return;
    }
    node->has_line = true;
    node->span = entry.span;
    node->is_removed = entry.is_removed;
    node->contexts = entry.contexts;
    node->types = entry.types;
    node->type = entry.type;
    node->value = entry.value;
}

// After a merge the lock may have two versions. The greater one counts.
static bool read_package(parser *parser, const words *words)
{
    lock *lock = parser->lock;
    uint32_t version = 0;
    bool is_valid = words->count == 4 && strcmp(words->items[2], "version") == 0;
    if (is_valid)
        is_valid = read_number(words->items[3], &version);
    if (is_valid && lock->package != NULL)
        is_valid = strcmp(lock->package, words->items[1]) == 0;
    if (!is_valid)
        return refuse(parser, parser->line, "this is not the line of the package");
    lock->package = words->items[1];
    if (version > lock->version)
        lock->version = version;
    return true;
}

// Returns the format that a word names; 0 if it is none of them.
static int format_of(const char *word)
{
    bool is_known = word[0] >= '1' && word[0] <= '0' + LOCK_FORMAT;
    if (!is_known || word[1] != '\0')
        return 0;
    return word[0] - '0';
}

// The two sides of a merge may have two formats: what one of them does not know, both do not.
static bool read_other_head(parser *parser, const words *words)
{
    int format = 0;
    if (words->count == 3)
        format = format_of(words->items[2]);
    if (format == 0)
        return refuse(parser, parser->line, "this is not a line of a lock");
    if (format < parser->lock->format)
        parser->lock->format = format;
    return true;
}

static bool read_head(parser *parser)
{
    const source *source = parser->line.source;
    parser->line = source_line(source, 1);
    words words;
    bool is_split = lock_is_one(source) && split(parser, &words);
    if (!is_split || words.count != 3)
        return refuse(parser, parser->line, "expected 'kin lock 3', the first line of a lock");
    parser->lock->format = format_of(words.items[2]);
    if (parser->lock->format > 0)
        return true;
    parser->is_broken = true;
    diagnostic_error(parser->diagnostics, CODE_LOCK, words.spans[2], "the lock is of a newer kin, or damaged");
    diagnostic_hint(parser->diagnostics, "this kin reads format %d; use the kin that wrote the lock", LOCK_FORMAT);
    return false;
}

static void read_line(parser *parser)
{
    words words;
    if (!split(parser, &words))
        return;
    bool is_head = strcmp(words.items[0], "kin") == 0;
    if (words.count < 2 || strcmp(words.items[1], "lock") != 0)
        is_head = false;
    if (strcmp(words.items[0], "package") == 0)
        read_package(parser, &words);
    else if (is_head)
        read_other_head(parser, &words);
    else
        add_line(parser, &words);
}

lock *lock_parse(arena *arena, diagnostics *diagnostics, const source *source)
{
    lock *lock = arena_allocate(arena, sizeof *lock);
    *lock = (struct lock){.source = source};
    parser parser = {.arena = arena, .diagnostics = diagnostics, .lock = lock, .line = {source, 0, 0}};
    if (!read_head(&parser))
        return NULL;
    size_t count = source->line_count;
    for (size_t line = 2; line <= count; line++) {
        parser.line = source_line(source, line);
        bool is_end = line == count && parser.line.start == source->size;
        if (!is_end)
            read_line(&parser);
    }
    if (!parser.is_broken && lock->package == NULL)
        refuse(&parser, source_line(source, 1), "the lock has no line of its package");
    if (parser.is_broken)
        return NULL;
    return lock;
}
