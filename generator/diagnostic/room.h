// diagnostic: source files, places in them, and messages about them
//
// Owns the codes of all messages; their texts are in explanations/, a folder for each family of codes.
//
//   source.h      a file in memory, spans of it, and their lines and columns
//   diagnostic.h  messages, collected while a run goes on and printed once, as text or JSON
//   codes.h       every code and its title
