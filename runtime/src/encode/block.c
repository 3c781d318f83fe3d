#include "encode/block.h"

#include "encode/encode_pool.h"
#include "encode/encode_value.h"
#include "encode/kept.h"

const char *kin__block_letters(kin__block_kind kind)
{
    static const char *const letters[] = {
        [KIN__BLOCK_CONTEXT] = "CTXT", [KIN__BLOCK_SLOTS] = "SLOT",  [KIN__BLOCK_COLUMN] = "COLM",
        [KIN__BLOCK_KEPT] = "KEEP",    [KIN__BLOCK_SHARED] = "SHAR",
    };
    return letters[kind];
}

// ---- in order

bool kin__block_has_content(const kin__block *block)
{
    uint64_t any = 0;
    if (block->image == NULL)
        return false;
    const uint64_t *words =
        block->kind == KIN__BLOCK_COLUMN ? kin__image_has(block->image) : kin__image_alive(block->image);
    for (uint32_t i = 0; i < KIN__CHUNK_WORDS; i++)
        any |= words[i];
    return any != 0;
}

static bool visit_columns(kin__block *block, kin__block_visitor *visit, void *user)
{
    block->kind = KIN__BLOCK_COLUMN;
    for (block->component = 0; block->component < block->shape->count; block->component++) {
        block->image = kin__part_image(block->part, block->chunk, block->shape->components[block->component].id);
        if (kin__block_has_content(block) && !visit(block, user))
            return false;
    }
    return true;
}

static bool visit_kept(kin__block *block, kin__block_visitor *visit, void *user)
{
    uint64_t components[KIN__COMPONENT_WORDS];
    block->kind = KIN__BLOCK_KEPT;
    block->image = NULL;
    if (!kin__kept_components(block->part, block->chunk, components))
        return true;
    for (block->component = 0; block->component < block->shape->count; block->component++)
        if (kin__bits_have(components, block->shape->components[block->component].id) && !visit(block, user))
            return false;
    return true;
}

static bool visit_chunk(kin__block *block, kin__block_visitor *visit, void *user)
{
    block->kind = KIN__BLOCK_SLOTS;
    block->component = 0;
    block->image = kin__part_image(block->part, block->chunk, kin__head_number(block->shape->info));
    if (kin__block_has_content(block) && !visit(block, user))
        return false;
    return visit_columns(block, visit, user) && visit_kept(block, visit, user);
}

// Whether all fields are saved. If not, different values may be equal in a file, which then has no order for them.
static bool are_saved(const kin_field_info *fields, uint32_t count)
{
    bool are_all = true;
    for (uint32_t i = 0; are_all && i < count; i++)
        are_all = !fields[i].is_unsaved &&
                  (fields[i].type != KIN_TYPE_STRUCT || are_saved(fields[i].of->fields, fields[i].of->field_count));
    return are_all;
}

uint32_t kin__shared_rows(const kin__context_snapshot *part, kin_component_id id)
{
    const kin_component_info *component = &part->info->components[id];
    kin__part_numbers numbers = kin__part_numbers_of(part, id);
    if (kin__part_numbers_are_sorted(&numbers) || !are_saved(component->fields, component->field_count))
        return 0;
    return (numbers.count + KIN__CHUNK_SLOTS - 1) / KIN__CHUNK_SLOTS;
}

static bool visit_shared(kin__block *block, kin__block_visitor *visit, void *user)
{
    block->kind = KIN__BLOCK_SHARED;
    block->image = NULL;
    for (block->component = 0; block->component < block->shape->count; block->component++) {
        uint32_t rows = kin__shared_rows(block->part, block->shape->components[block->component].id);
        for (block->chunk = 0; block->chunk < rows; block->chunk++)
            if (!visit(block, user))
                return false;
    }
    return true;
}

bool kin__blocks_visit(const kin__blocks *blocks, kin__block_visitor *visit, void *user)
{
    kin__block block = {.part = blocks->part, .shape = blocks->shape, .context = blocks->context};
    KIN_ASSERT(blocks->part->info == blocks->shape->info);
    if (!visit(&block, user))
        return false;
    for (block.chunk = 0; block.chunk < blocks->part->chunk_count; block.chunk++)
        if (!visit_chunk(&block, visit, user))
            return false;
    return blocks->part->shared_count == 0 || visit_shared(&block, visit, user);
}

// ---- bytes

void kin__block_encode_numbers(kin__encoder *encoder, const kin__block *block)
{
    kin__encode_32(encoder, block->context);
    if (block->kind != KIN__BLOCK_CONTEXT)
        kin__encode_32(encoder, block->chunk);
    if (kin__block_is_of_component(block->kind))
        kin__encode_32(encoder, block->component);
}

static void encode_bits(kin__encoder *encoder, const uint64_t words[KIN__CHUNK_WORDS])
{
    for (uint32_t i = 0; i < KIN__CHUNK_WORDS; i++)
        kin__encode_64(encoder, words[i]);
}

// Appends the 40 bits of each creation index.
static void encode_slots(kin__encoder *encoder, const kin__image *head)
{
    const kin_entity *ids = kin__image_ids(head);
    const uint64_t *alive = kin__image_alive(head);
    encode_bits(encoder, alive);
    for (uint32_t word = 0; word < KIN__CHUNK_WORDS; word++)
        for (uint64_t bits = alive[word]; bits != 0; bits &= bits - 1) {
            uint64_t index = kin_entity_creation_index(ids[word * 64 + kin__lowest_bit(bits)]);
            kin__encode_32(encoder, (uint32_t)index);
            kin__encode_8(encoder, (uint8_t)(index >> 32));
        }
}

// A soa component has an array for each of its fields.
static kin__value_source source_of(const kin__block *block, const kin__value_leaf *leaf)
{
    const kin_component_info *component = block->shape->components[block->component].info;
    kin__value_source source = {.values = block->image->bytes + sizeof(kin__column), .stride = component->size};
    if (component->is_soa) {
        uint32_t field = (uint32_t)(leaf->top - component->fields);
        source.values = kin__image_field(block->shape->info, block->image, field);
        source.stride = leaf->top->size;
        source.begin = leaf->top->offset;
    } else if (component->is_shared) {
        source.stride = sizeof(void *);
        source.are_pointers = true;
    }
    return source;
}

static void encode_column(kin__encoder *encoder, const kin__block *block)
{
    const kin__leaves *leaves = &block->shape->components[block->component].leaves;
    const uint64_t *has = kin__image_has(block->image);
    encode_bits(encoder, has);
    for (uint32_t i = 0; i < leaves->count; i++) {
        kin__value_source source = source_of(block, &leaves->leaves[i]);
        kin__encode_leaf(encoder, &leaves->leaves[i], &source, has);
    }
}

static void encode_kept(kin__encoder *encoder, const kin__block *block)
{
    const kin__component_shape *component = &block->shape->components[block->component];
    kin__kept kept;
    kin__value_source source = {(const unsigned char *)kept.values, sizeof *kept.values, 0, true};
    kin__kept_find(block->part, block->chunk, component->id, &kept);
    encode_bits(encoder, kept.has);
    encode_bits(encoder, kept.stashed);
    for (uint32_t i = 0; i < component->leaves.count; i++)
        kin__encode_leaf(encoder, &component->leaves.leaves[i], &source, kept.has);
}

static void encode_shared(kin__encoder *encoder, const kin__block *block)
{
    kin__part_numbers numbers = kin__part_numbers_of(block->part, block->shape->components[block->component].id);
    uint32_t first = block->chunk * KIN__CHUNK_SLOTS;
    for (uint32_t i = first; i < numbers.count && i < first + KIN__CHUNK_SLOTS; i++)
        kin__encode_32(encoder, numbers.first_uses[i]);
}

void kin__block_encode_content(kin__encoder *encoder, const kin__block *block)
{
    switch (block->kind) {
    case KIN__BLOCK_CONTEXT:
        kin__encode_context(encoder, block->part);
        break;
    case KIN__BLOCK_SLOTS:
        encode_slots(encoder, block->image);
        break;
    case KIN__BLOCK_COLUMN:
        encode_column(encoder, block);
        break;
    case KIN__BLOCK_KEPT:
        encode_kept(encoder, block);
        break;
    case KIN__BLOCK_SHARED:
        encode_shared(encoder, block);
        break;
    }
}
