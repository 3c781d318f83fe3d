build-san/generator/check/invariants.o: generator/check/invariants.c \
 generator/check/private/invariants.h generator/model/schema.h \
 generator/base/arena.h generator/diagnostic/source.h \
 generator/model/constant.h generator/model/world.h
generator/check/private/invariants.h:
generator/model/schema.h:
generator/base/arena.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/model/world.h:
