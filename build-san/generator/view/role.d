build-san/generator/view/role.o: generator/view/role.c \
 generator/model/world.h generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/view/private/parts.h generator/base/dictionary.h \
 generator/template/value.h
generator/model/world.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/view/private/parts.h:
generator/base/dictionary.h:
generator/template/value.h:
