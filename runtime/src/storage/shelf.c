#include "storage/shelf.h"

#include "base/base.h"

enum {
    MOST_SINGLE = 8, // columns without a block
    MOST_COLUMNS = 8 // of a block: more gain nothing, and one in use keeps the memory of all
};

struct kin__shelf_block {
    kin__shelf_block *next; // an older one
    uint32_t count;         // columns that it has
    uint32_t given, spare;  // of these: given at least once; spare now
};

static size_t block_size(uint32_t count, size_t size)
{
    return KIN__CACHE_LINE + count * size;
}

static char *column_at(const kin__shelf_block *block, uint32_t index, size_t size)
{
    return (char *)(uintptr_t)block + KIN__CACHE_LINE + index * size;
}

static size_t shelves_size(const kin_context *context)
{
    return context->info->component_count * sizeof(kin__shelf);
}

bool kin__shelves_make(kin_context *context)
{
    kin__core *core = context->core;
    if (context->info->component_count == 0)
        return true;
    core->shelves = kin__allocate_zero(&core->memory, shelves_size(context));
    return core->shelves != NULL;
}

void kin__shelves_release(kin_context *context)
{
    kin__release(&context->core->memory, context->core->shelves, shelves_size(context));
}

// ---- blocks

// A quarter of what there is, so that at most a fifth of all columns were never used.
static kin__shelf_block *add_block(kin_context *context, kin__shelf *shelf, size_t size)
{
    uint32_t part = shelf->column_count / 4, count = part > MOST_COLUMNS ? MOST_COLUMNS : part;
    kin__shelf_block *made = kin__allocate(&context->core->column_memory, block_size(count, size));
    if (made == NULL)
        return NULL;
    *made = (kin__shelf_block){.next = shelf->newest, .count = count};
    shelf->newest = made;
    shelf->column_count += count;
    return made;
}

static bool is_in(const kin__shelf_block *block, const void *column, size_t size)
{
    return (uintptr_t)column - (uintptr_t)block < block_size(block->count, size);
}

// Returns the link to the block of a column; to NULL if it has none.
static kin__shelf_block **find_block(kin__shelf *shelf, const void *column, size_t size)
{
    kin__shelf_block **link = &shelf->newest;
    while (*link != NULL && !is_in(*link, column, size))
        link = &(*link)->next;
    return link;
}

// Takes the columns of a block out of the list of spare ones.
static void forget_spare(kin__shelf *shelf, const kin__shelf_block *block, size_t size)
{
    for (void **link = &shelf->spare; *link != NULL;)
        if (is_in(block, *link, size))
            *link = *(void **)*link;
        else
            link = *link;
}

static void release_block(kin_context *context, kin__shelf *shelf, kin__shelf_block **link, size_t size)
{
    kin__shelf_block *block = *link;
    forget_spare(shelf, block, size);
    *link = block->next;
    shelf->column_count -= block->count;
    kin__release(&context->core->column_memory, block, block_size(block->count, size));
}

// ---- columns

static void *take_single(kin_context *context, kin__shelf *shelf, size_t size)
{
    void *column = kin__allocate(&context->core->column_memory, size);
    shelf->column_count += column != NULL;
    return column;
}

static void *take_spare(kin__shelf *shelf, size_t size)
{
    void **column = shelf->spare;
    shelf->spare = *column;
    (*find_block(shelf, column, size))->spare--;
    return column;
}

void *kin__shelf_take(kin_context *context, kin_component_id id, size_t size)
{
    kin__shelf *shelf = &context->core->shelves[id];
    KIN_ASSERT(size % KIN__CACHE_LINE == 0);
    if (shelf->spare != NULL)
        return take_spare(shelf, size);
    kin__shelf_block *block = shelf->newest;
    if (block == NULL || block->given == block->count) {
        if (shelf->column_count < MOST_SINGLE)
            return take_single(context, shelf, size);
        block = add_block(context, shelf, size);
    }
    return block == NULL ? NULL : column_at(block, block->given++, size);
}

void kin__shelf_return(kin_context *context, kin_component_id id, void *column, size_t size)
{
    kin__shelf *shelf = &context->core->shelves[id];
    kin__shelf_block **link = find_block(shelf, column, size);
    if (*link == NULL) {
        shelf->column_count--;
        kin__release(&context->core->column_memory, column, size);
        return;
    }
    *(void **)column = shelf->spare;
    shelf->spare = column;
    if (++(*link)->spare == (*link)->given)
        release_block(context, shelf, link, size);
    KIN_VALIDATE(kin__shelf_is_valid(context, id, size));
}

// ---- validation

bool kin__shelf_is_valid(const kin_context *context, kin_component_id id, size_t size)
{
    kin__shelf *shelf = &context->core->shelves[id];
    uint32_t columns = 0, spare = 0, listed = 0;
    for (const kin__shelf_block *block = shelf->newest; block != NULL; block = block->next) {
        if (block->given > block->count || block->spare >= block->given)
            return false;
        columns += block->count;
        spare += block->spare;
    }
    for (void *column = shelf->spare; column != NULL && listed <= spare; column = *(void **)column)
        listed += *find_block(shelf, column, size) != NULL;
    return columns <= shelf->column_count && spare == listed;
}
