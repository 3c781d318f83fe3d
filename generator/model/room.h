// model: what a schema declares, as structs, and the rules of C for its names and layouts
//
// Owns the package: read-only once it is read, all of it in one arena.
//
//   schema.h           the package, its contexts, components, groups, indices and types
//   world.h            its systems, schedule and messages
//   events.h           its events, in the order of delivery
//   type.h             types of fields
//   constant.h         default values
//   layout.h           size, alignment and padding of values
//   names.h            identifiers, reserved words, names that are nearly the same
//   opaque_spelling.h  how a C type that the user names is spelled
