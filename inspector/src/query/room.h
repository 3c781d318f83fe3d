// query: which entities a viewer asks for
//
//   scan.h      a query as tokens
//   suggest.h   the names that may be meant
//   path.h      places in components: Position.at.x
//   query.h     parsed queries, and what they match
//   compare.h   comparisons of single values
//
// Files call each other in one direction: parse_query.c → parse_where.c, parse_term.c → parser.h → path.c → scan.c;
// match.c → compare.c, path.c.
