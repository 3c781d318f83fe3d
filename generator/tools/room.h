// tools: the programs of the build: templates to C, the language to the pages of the manual
//
// Owns main() of two programs that run while kin and its manual are built; kin does not have them.
//
//   embed.c      templates and other texts as C
//   reference.h  pages of the manual, from the tables of the language and the usage of kin
