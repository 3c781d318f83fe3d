// template: Mustache templates, those built in and those of the user, and the values that they show
//
// Owns the renderer. It knows nothing of schemas: it is given values.
//
//   mustache.h   renders a template with values
//   value.h      the values: texts, lists and maps
//   templates.h  the templates that are compiled into kin
//   set.h        the templates of a run, with those of the user in place of those built in
