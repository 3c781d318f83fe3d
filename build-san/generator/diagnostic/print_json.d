build-san/generator/diagnostic/print_json.o: \
 generator/diagnostic/print_json.c generator/base/json_writer.h \
 generator/base/text.h generator/base/arena.h \
 generator/diagnostic/private/print.h generator/diagnostic/diagnostic.h \
 generator/diagnostic/codes.h generator/diagnostic/source.h
generator/base/json_writer.h:
generator/base/text.h:
generator/base/arena.h:
generator/diagnostic/private/print.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
