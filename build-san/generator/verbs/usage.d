build-san/generator/verbs/usage.o: generator/verbs/usage.c \
 generator/verbs/usage.h
generator/verbs/usage.h:
