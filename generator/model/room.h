// model: what a schema declares, as structs, and the rules of C for its names and layouts
//
// Owns the package: one arena, read-only after reading.
//
//   schema.h           the package, its contexts, components, groups, indices and types
//   world.h            its systems, schedule and messages
//   events.h           its events, in delivery order
//   type.h             types of fields
//   constant.h         default values
//   layout.h           size, alignment and padding of values
//   names.h            identifiers, reserved words, suggestions
//   opaque_spelling.h  the spelling of C types that the user names
