build-san/generator/language/json_schema.o: \
 generator/language/json_schema.c generator/language/json_schema.h \
 generator/base/text.h generator/base/arena.h \
 generator/base/json_writer.h generator/language/language.h
generator/language/json_schema.h:
generator/base/text.h:
generator/base/arena.h:
generator/base/json_writer.h:
generator/language/language.h:
