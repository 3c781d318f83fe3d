build-san/generator/template/fault.o: generator/template/fault.c \
 generator/template/set.h generator/base/arena.h \
 generator/diagnostic/source.h generator/template/mustache.h \
 generator/base/text.h generator/diagnostic/codes.h \
 generator/template/value.h generator/base/utf8.h \
 generator/diagnostic/diagnostic.h
generator/template/set.h:
generator/base/arena.h:
generator/diagnostic/source.h:
generator/template/mustache.h:
generator/base/text.h:
generator/diagnostic/codes.h:
generator/template/value.h:
generator/base/utf8.h:
generator/diagnostic/diagnostic.h:
