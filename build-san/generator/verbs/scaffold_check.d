build-san/generator/verbs/scaffold_check.o: \
 generator/verbs/scaffold_check.c generator/verbs/scaffold_check.h \
 generator/base/arena.h generator/base/text.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/base/dictionary.h \
 generator/base/status.h generator/verbs/definitions.h
generator/verbs/scaffold_check.h:
generator/base/arena.h:
generator/base/text.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/base/dictionary.h:
generator/base/status.h:
generator/verbs/definitions.h:
