// describe: a package for readers: tables, JSON, a graph, a page
//
// Owns no decision: what it shows is the model's.
//
//   list.h  a package as tables, as JSON, and its schedule as a tree or a graph
//   page.h  a package as the values of the templates of templates/doc
