build-san/generator/check/symbols.o: generator/check/symbols.c \
 generator/check/symbols.h generator/base/arena.h \
 generator/diagnostic/diagnostic.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/model/schema.h \
 generator/model/constant.h generator/base/dictionary.h \
 generator/check/private/symbols_opaque.h \
 generator/check/private/symbols_pattern.h generator/model/events.h \
 generator/model/names.h generator/model/world.h
generator/check/symbols.h:
generator/base/arena.h:
generator/diagnostic/diagnostic.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/model/schema.h:
generator/model/constant.h:
generator/base/dictionary.h:
generator/check/private/symbols_opaque.h:
generator/check/private/symbols_pattern.h:
generator/model/events.h:
generator/model/names.h:
generator/model/world.h:
