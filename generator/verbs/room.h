// verbs: the command line of kin, and one function for each verb
//
// Owns the run: calls the rooms above from top to bottom. main.c is the entry point.
//
//   command.h  the command line as one struct
//   verbs.h    the verbs and their flags
//   usage.h    the text of --help
//   and a header for each verb that takes more than a few lines
