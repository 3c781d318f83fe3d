build-san/generator/view/world_info.o: generator/view/world_info.c \
 generator/model/names.h generator/base/arena.h generator/model/world.h \
 generator/model/schema.h generator/diagnostic/source.h \
 generator/model/constant.h generator/view/private/parts.h \
 generator/base/dictionary.h generator/template/value.h
generator/model/names.h:
generator/base/arena.h:
generator/model/world.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/view/private/parts.h:
generator/base/dictionary.h:
generator/template/value.h:
