build-san/generator/describe/table.o: generator/describe/table.c \
 generator/describe/private/table.h generator/base/arena.h \
 generator/base/text.h generator/base/utf8.h
generator/describe/private/table.h:
generator/base/arena.h:
generator/base/text.h:
generator/base/utf8.h:
