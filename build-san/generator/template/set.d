build-san/generator/template/set.o: generator/template/set.c \
 generator/template/set.h generator/base/arena.h \
 generator/diagnostic/source.h generator/template/mustache.h \
 generator/base/text.h generator/diagnostic/codes.h \
 generator/template/value.h generator/base/hash.h generator/base/status.h \
 generator/diagnostic/diagnostic.h generator/model/names.h \
 generator/template/private/check.h \
 generator/template/private/mustache_parse.h \
 generator/template/private/mustache_scan.h \
 generator/template/templates.h
generator/template/set.h:
generator/base/arena.h:
generator/diagnostic/source.h:
generator/template/mustache.h:
generator/base/text.h:
generator/diagnostic/codes.h:
generator/template/value.h:
generator/base/hash.h:
generator/base/status.h:
generator/diagnostic/diagnostic.h:
generator/model/names.h:
generator/template/private/check.h:
generator/template/private/mustache_parse.h:
generator/template/private/mustache_scan.h:
generator/template/templates.h:
