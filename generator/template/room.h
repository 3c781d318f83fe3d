// template: Mustache templates, built-in and the user's, and the values that they show
//
// Owns the renderer, which knows nothing of schemas: it renders values.
//
//   mustache.h   renders a template with values
//   value.h      the values: texts, lists and maps
//   templates.h  the templates that are compiled into kin
//   set.h        the templates of a run: the user's replace built-in ones
