// Shapes: which components and leaves they have, in which order, and where the leaves are.
#include "snapshot/snapshot.h"
#include "suites.h"

#include <check.h>
#include <stddef.h>
#include <string.h>

typedef struct uv {
    float u, v;
} uv;

typedef struct part {
    char label[8];
    uv corners[3];
    int16_t number;
} part;

typedef struct mesh {
    uint8_t kind;
    part parts[4];
    uv at;
    const char *name;
    struct {
        const part *at;
        uint32_t count;
    } spare;
} mesh;

static const kin_field_info uv_fields[] = {
    {.name = "v", .type = KIN_TYPE_FLOAT, .offset = offsetof(uv, v), .size = sizeof(float)},
    {.name = "u", .type = KIN_TYPE_FLOAT, .offset = offsetof(uv, u), .size = sizeof(float)},
};
static const kin_type_info uv_type = {.name = "Uv", .size = sizeof(uv), .fields = uv_fields, .field_count = 2};
static const kin_field_info part_fields[] = {
    {.name = "number", .type = KIN_TYPE_INT16, .offset = offsetof(part, number), .size = sizeof(int16_t)},
    {.name = "label", .type = KIN_TYPE_INLINE_STRING, .offset = offsetof(part, label), .size = 8},
    {.name = "corners",
     .type = KIN_TYPE_STRUCT,
     .count = 3,
     .offset = offsetof(part, corners),
     .size = 3 * sizeof(uv),
     .of = &uv_type},
};
static const kin_type_info part_type = {.name = "Part", .size = sizeof(part), .fields = part_fields, .field_count = 3};
static const kin_field_info mesh_fields[] = {
    {.name = "parts",
     .type = KIN_TYPE_STRUCT,
     .count = 4,
     .offset = offsetof(mesh, parts),
     .size = 4 * sizeof(part),
     .of = &part_type},
    {.name = "name", .type = KIN_TYPE_STRING, .offset = offsetof(mesh, name), .size = sizeof(char *)},
    {.name = "kind", .type = KIN_TYPE_UINT8, .offset = offsetof(mesh, kind), .size = 1},
    {.name = "at", .type = KIN_TYPE_STRUCT, .offset = offsetof(mesh, at), .size = sizeof(uv), .of = &uv_type},
    {.name = "spare",
     .type = KIN_TYPE_STRUCT,
     .offset = offsetof(mesh, spare),
     .size = sizeof(((mesh *)NULL)->spare),
     .of = &part_type,
     .is_list = true,
     .element_size = sizeof(part)},
};
static const kin_type_info sprite_type = {.name = "Sprite", .size = sizeof(void *)};
static const kin_field_info sprite_fields[] = {
    {.name = "image", .type = KIN_TYPE_OPAQUE, .size = sizeof(void *), .of = &sprite_type},
};
static const kin_component_info components[] = {
    {.name = "Zebra"},
    {.name = "Mesh", .size = sizeof(mesh), .fields = mesh_fields, .field_count = 5},
    {.name = "Picture", .size = sizeof(void *), .fields = sprite_fields, .field_count = 1, .is_unwritable = true},
    {.name = "Ant"},
};
static const kin_context_info info = {.name = "game", .components = components, .component_count = 4};

static kin__memory memory;
static kin__shape *shape;

static void begin(void)
{
    memory = kin__memory_of((kin_allocator){0});
    shape = kin__shape_make(&memory, &info);
    ck_assert_ptr_nonnull(shape);
}

static void end(void)
{
    kin__shape_release(&memory, shape);
    kin__shape_release(&memory, NULL);
    ck_assert_uint_eq(memory.allocated, 0);
}

START_TEST(components_are_sorted_by_identity)
{
    ck_assert_uint_eq(shape->count, 3);
    ck_assert_str_eq(shape->components[0].identity, "Ant");
    ck_assert_uint_eq(shape->components[0].id, 3);
    ck_assert_str_eq(shape->components[1].identity, "Mesh");
    ck_assert_str_eq(shape->components[2].identity, "Zebra");
    ck_assert_uint_eq(shape->components[2].id, 0);
}
END_TEST

// Picture, which is missing, has an opaque value that nothing can save.
START_TEST(a_component_with_an_opaque_value_without_a_save_function_is_left_out)
{
    for (uint32_t i = 0; i < shape->count; i++)
        ck_assert_ptr_ne(shape->components[i].info, &components[2]);
}
END_TEST

static const struct {
    const char *path;
    uint32_t elements, dimensions;
    size_t offset, width;
    bool is_list;
} leaves[] = {
    {"at.u", 1, 0, offsetof(mesh, at) + offsetof(uv, u), 4, false},
    {"at.v", 1, 0, offsetof(mesh, at) + offsetof(uv, v), 4, false},
    {"kind", 1, 0, offsetof(mesh, kind), 1, false},
    {"name", 1, 0, offsetof(mesh, name), sizeof(char *), false},
    {"parts.corners[3].u", 12, 2, offsetof(mesh, parts) + offsetof(part, corners) + offsetof(uv, u), 4, false},
    {"parts.corners[3].v", 12, 2, offsetof(mesh, parts) + offsetof(part, corners) + offsetof(uv, v), 4, false},
    {"parts.label", 4, 1, offsetof(mesh, parts) + offsetof(part, label), 8, false},
    {"parts.number", 4, 1, offsetof(mesh, parts) + offsetof(part, number), 2, false},
    {"spare.corners[3].u", 3, 1, offsetof(part, corners) + offsetof(uv, u), 4, true},
    {"spare.corners[3].v", 3, 1, offsetof(part, corners) + offsetof(uv, v), 4, true},
    {"spare.label", 1, 0, offsetof(part, label), 8, true},
    {"spare.number", 1, 0, offsetof(part, number), 2, true},
};

START_TEST(leaves_are_sorted_by_path)
{
    kin__leaves made = shape->components[1].leaves;
    ck_assert_uint_eq(made.count, sizeof leaves / sizeof *leaves);
    ck_assert_str_eq(made.leaves[_i].path, leaves[_i].path);
    ck_assert_uint_eq(made.leaves[_i].elements, leaves[_i].elements);
    ck_assert_uint_eq(made.leaves[_i].dimension_count, leaves[_i].dimensions);
    ck_assert_uint_eq(made.leaves[_i].offset, leaves[_i].offset);
    ck_assert_uint_eq(made.leaves[_i].width, leaves[_i].width);
    ck_assert(made.leaves[_i].is_list == leaves[_i].is_list);
}
END_TEST

START_TEST(dimensions_are_the_outermost_first)
{
    const kin__value_leaf *leaf = &shape->components[1].leaves.leaves[4];
    ck_assert_uint_eq(leaf->dimensions[0].count, 4);
    ck_assert_uint_eq(leaf->dimensions[0].stride, sizeof(part));
    ck_assert_uint_eq(leaf->dimensions[1].count, 3);
    ck_assert_uint_eq(leaf->dimensions[1].stride, sizeof(uv));
}
END_TEST

START_TEST(a_flag_and_an_empty_context_have_no_leaves)
{
    static const kin_context_info empty = {.name = "empty"};
    kin__shape *of_empty = kin__shape_make(&memory, &empty);
    ck_assert_uint_eq(of_empty->count, 0);
    kin__shape_release(&memory, of_empty);
    ck_assert_uint_eq(shape->components[0].leaves.count, 0);
}
END_TEST

Suite *runtime_shape_suite(void)
{
    Suite *suite = suite_create("runtime_shape");
    TCase *test = tcase_create("shape");
    tcase_add_checked_fixture(test, begin, end);
    tcase_add_test(test, components_are_sorted_by_identity);
    tcase_add_test(test, a_component_with_an_opaque_value_without_a_save_function_is_left_out);
    tcase_add_loop_test(test, leaves_are_sorted_by_path, 0, sizeof leaves / sizeof *leaves);
    tcase_add_test(test, dimensions_are_the_outermost_first);
    tcase_add_test(test, a_flag_and_an_empty_context_have_no_leaves);
    suite_add_tcase(suite, test);
    return suite;
}
