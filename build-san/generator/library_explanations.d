build-san/generator/library_explanations.o: \
 build-san/generator/library_explanations.c \
 generator/template/templates.h generator/template/mustache.h \
 generator/base/arena.h generator/base/text.h \
 generator/diagnostic/codes.h generator/template/value.h
generator/template/templates.h:
generator/template/mustache.h:
generator/base/arena.h:
generator/base/text.h:
generator/diagnostic/codes.h:
generator/template/value.h:
