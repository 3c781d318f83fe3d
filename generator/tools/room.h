// tools: programs of the build: templates to C, and the language to manual pages
//
// Owns main() of two programs that run while kin and its manual are built. They are not part of kin.
//
//   embed.c      templates and other texts as C
//   reference.h  manual pages, from the tables of the language and the usage of kin
