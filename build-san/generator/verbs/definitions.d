build-san/generator/verbs/definitions.o: generator/verbs/definitions.c \
 generator/verbs/definitions.h generator/base/arena.h
generator/verbs/definitions.h:
generator/base/arena.h:
