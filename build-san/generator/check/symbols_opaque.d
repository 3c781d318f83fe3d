build-san/generator/check/symbols_opaque.o: \
 generator/check/symbols_opaque.c \
 generator/check/private/symbols_opaque.h generator/base/dictionary.h \
 generator/base/arena.h generator/check/symbols.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/model/opaque_spelling.h
generator/check/private/symbols_opaque.h:
generator/base/dictionary.h:
generator/base/arena.h:
generator/check/symbols.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/model/opaque_spelling.h:
