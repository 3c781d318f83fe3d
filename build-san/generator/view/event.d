build-san/generator/view/event.o: generator/view/event.c \
 generator/model/events.h generator/model/schema.h generator/base/arena.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/model/names.h generator/model/type.h \
 generator/view/private/parts.h generator/base/dictionary.h \
 generator/model/world.h generator/template/value.h
generator/model/events.h:
generator/model/schema.h:
generator/base/arena.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/model/names.h:
generator/model/type.h:
generator/view/private/parts.h:
generator/base/dictionary.h:
generator/model/world.h:
generator/template/value.h:
