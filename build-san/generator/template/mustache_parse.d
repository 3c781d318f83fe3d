build-san/generator/template/mustache_parse.o: \
 generator/template/mustache_parse.c \
 generator/template/private/mustache_parse.h \
 generator/template/private/mustache_scan.h generator/template/mustache.h \
 generator/base/arena.h generator/base/text.h \
 generator/diagnostic/codes.h generator/template/value.h
generator/template/private/mustache_parse.h:
generator/template/private/mustache_scan.h:
generator/template/mustache.h:
generator/base/arena.h:
generator/base/text.h:
generator/diagnostic/codes.h:
generator/template/value.h:
