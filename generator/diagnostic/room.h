// diagnostic: source files, positions in them, and messages about them
//
// Owns the codes of all messages. Their explanations are in explanations/, in a folder for each family of codes.
//
//   source.h      a file in memory, spans of it, and their lines and columns
//   diagnostic.h  messages, collected during a run and printed at its end as text or JSON
//   codes.h       every code and its title
