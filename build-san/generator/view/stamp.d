build-san/generator/view/stamp.o: generator/view/stamp.c \
 generator/view/view.h generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/template/value.h generator/base/hash.h \
 generator/view/private/parts.h generator/base/dictionary.h \
 generator/model/world.h
generator/view/view.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/template/value.h:
generator/base/hash.h:
generator/view/private/parts.h:
generator/base/dictionary.h:
generator/model/world.h:
