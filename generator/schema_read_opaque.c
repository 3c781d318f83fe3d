// Reading of opaque types: what stands between `typedef` and the name, the header, and the function that ends a value.
//
// All three come to stand in C as they are, so each is held to a grammar out of which nothing leads:
//
//   opaque   `const`s, and either a name, before which `struct`, `union` or `enum` may stand, or words of C's numbers,
//            `bool` or `void`; then stars, each with or without `const` before it. It must be possible to assign it
//   header   a path of letters, digits and - _ + . /
//   drop     an identifier
#include "schema_reader.h"

#include <string.h>

static const char letters_of_words[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
static const char letters_of_paths[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./";

// What has been seen of an `opaque`.
typedef struct spelling {
    size_t tags, names, builtins, stars;
    bool ends_in_const;  // behind the last star, or without one
    bool is_void;        // among the builtins
    bool is_tag_pending; // the next word must be the name of a struct, union or enum
} spelling;

static bool is_one_of(const char *const *words, const char *word)
{
    while (*words != NULL && strcmp(*words, word) != 0)
        words++;
    return *words != NULL;
}

static bool is_keyword(const char *word)
{
    const char *reserved = name_reserved_as(word);
    return reserved != NULL && strncmp(reserved, "a keyword", strlen("a keyword")) == 0;
}

// Whether the word may stand there.
static bool take_word(spelling *spelling, const char *word)
{
    static const char *const tags[] = {"struct", "union", "enum", NULL};
    static const char *const builtins[] = {"bool",  "char",   "double",   "float", "int", "long",
                                           "short", "signed", "unsigned", "void",  NULL};
    bool was_tag = spelling->is_tag_pending;
    spelling->is_tag_pending = false;
    if (strcmp(word, "const") == 0) {
        spelling->ends_in_const = true;
        return !was_tag;
    }
    if (spelling->stars > 0 || (was_tag && is_keyword(word)))
        return false;
    if (is_one_of(tags, word)) {
        spelling->is_tag_pending = true;
        return ++spelling->tags == 1 && spelling->names + spelling->builtins == 0;
    }
    if (is_one_of(builtins, word)) {
        spelling->is_void = spelling->is_void || strcmp(word, "void") == 0;
        return ++spelling->builtins > 0 && spelling->names == 0;
    }
    return name_is_identifier(word) && !is_keyword(word) && ++spelling->names == 1 && spelling->builtins == 0;
}

static bool is_spelled_as_type(arena *arena, const char *text)
{
    spelling spelling = {.tags = 0};
    while (*text != '\0') {
        size_t size = strspn(text, letters_of_words);
        if (size > 0 && !take_word(&spelling, arena_copy(arena, text, size)))
            return false;
        if (*text == '*') {
            if (spelling.is_tag_pending || spelling.names + spelling.builtins == 0)
                return false;
            spelling.stars++;
            spelling.ends_in_const = false;
        }
        if (size == 0 && *text != '*' && *text != ' ')
            return false;
        text += size > 0 ? size : 1;
    }
    bool is_whole = spelling.names + spelling.builtins > 0 && !spelling.is_tag_pending && !spelling.ends_in_const;
    return is_whole && (spelling.stars > 0 || !spelling.is_void);
}

static bool is_path(const tree_node *node)
{
    return strspn(node->text, letters_of_paths) == node->size && node->size > 0 && strstr(node->text, "//") == NULL &&
           node->text[node->size - 1] != '/';
}

static bool is_function(const char *name)
{
    return name_is_identifier(name) && name_reserved_as(name) == NULL && strncmp(name, "kin__", strlen("kin__")) != 0;
}

// What is wrong with the text of a key; NULL when nothing is.
static const char *find_fault(arena *arena, const char *key, const tree_node *node)
{
    if (strcmp(key, "opaque") == 0)
        return is_spelled_as_type(arena, node->text)
                   ? NULL
                   : "must be a type that can be assigned, of names and stars alone, such as 'struct sprite *'";
    if (strcmp(key, "header") == 0)
        return is_path(node) ? NULL : "must be a path of letters, digits, '-', '_', '+', '.' and '/'";
    return is_function(node->text) ? NULL : "must be the name of a function";
}

// NULL where the key is missing or its text wrong.
static const char *read_part(reader *reader, const definition_draft *draft, const char *key, const char *what)
{
    const tree_node *node = tree_find(draft->node, key);
    if (node == NULL || !reader_expect_text(reader, node, arena_format(reader->arena, "'%s' of %s", key, what)))
        return NULL;
    const char *fault = find_fault(reader->arena, key, node);
    if (fault == NULL)
        return node->text;
    diagnostic_error(reader->diagnostics, CODE_OPAQUE, node->span, "'%s' of %s %s", key, what, fault);
    return NULL;
}

void read_opaque(reader *reader, definition_draft *draft, const char *what)
{
    size_t errors = diagnostics_error_count(reader->diagnostics);
    definition *definition = &draft->definition;
    definition->opaque = read_part(reader, draft, "opaque", what);
    definition->header = read_part(reader, draft, "header", what);
    definition->drop = read_part(reader, draft, "drop", what);
    definition->has_drops = definition->drop != NULL;
    if (definition->drop != NULL && tree_find(draft->node, "header") == NULL)
        diagnostic_error(reader->diagnostics, CODE_OPAQUE, tree_find(draft->node, "drop")->span,
                         "'drop' of %s needs a 'header' that declares it", what);
    draft->is_broken = diagnostics_error_count(reader->diagnostics) > errors;
}

bool fields_have_drops(const field_draft_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const definition *definition = list->fields[i].type.definition;
        if (definition != NULL && definition->has_drops)
            return true;
    }
    return false;
}
