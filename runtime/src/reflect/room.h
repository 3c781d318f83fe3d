// reflect: contexts by ids, paths and numbers, for code that knows their schema only at run time
//
// Owns the functions that take ids, paths and numbers where generated code has names: they check these, then call what
// the generated code calls. Nothing here changes a context by other means.
//
//   by_id.c       components of an entity, by id (kin/reflect.h)
//   field.c       fields by path: field_path.h finds them, field_value.h converts their values
//   look.c        bits, rows and values of any slot (kin/look.h)
//   archetypes.c  the sets of components that entities have (kin/inventory.h)
