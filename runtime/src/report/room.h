// report: errors and descriptions in words
//
// Owns the wording: other rooms pass facts.
//
//   error.h     refusals: the message, and the call of on_error
//   describe.h  entities and matchers as text
//   escape.h    strings of users, safe for a terminal
