build-san/generator/base/json_writer.o: generator/base/json_writer.c \
 generator/base/json_writer.h generator/base/text.h \
 generator/base/arena.h generator/base/utf8.h
generator/base/json_writer.h:
generator/base/text.h:
generator/base/arena.h:
generator/base/utf8.h:
