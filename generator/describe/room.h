// describe: shows a package to readers: tables, JSON, a graph, a page
//
// Makes no decisions: it shows what the model has.
//
//   list.h  a package as tables, as JSON, and its schedule as a tree or a graph
//   page.h  a package as the values of the templates of templates/doc
