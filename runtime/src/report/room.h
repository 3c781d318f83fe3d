// report: errors and descriptions in words
//
// Owns the wording: other rooms pass facts.
//
//   error.h           errors: the message, and the call of on_error
//   describe.h        descriptions of entities and matchers
//   describe_value.h  values, field by field
//   writer.h          text into a buffer of fixed size
//   escape.h          strings of users, safe for a terminal
