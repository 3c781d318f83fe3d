build-san/generator/output/diff.o: generator/output/diff.c \
 generator/output/private/diff.h generator/base/text.h \
 generator/base/arena.h
generator/output/private/diff.h:
generator/base/text.h:
generator/base/arena.h:
