build-san/generator/diagnostic/print_text.o: \
 generator/diagnostic/print_text.c generator/diagnostic/private/print.h \
 generator/base/text.h generator/base/arena.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/base/utf8.h
generator/diagnostic/private/print.h:
generator/base/text.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/base/utf8.h:
