build-san/generator/describe/list.o: generator/describe/list.c \
 generator/describe/list.h generator/base/text.h generator/base/arena.h \
 generator/model/schema.h generator/diagnostic/source.h \
 generator/model/constant.h generator/describe/private/list_cells.h \
 generator/describe/private/table.h generator/model/world.h \
 generator/describe/private/list_parts.h generator/model/events.h \
 generator/model/layout.h
generator/describe/list.h:
generator/base/text.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/describe/private/list_cells.h:
generator/describe/private/table.h:
generator/model/world.h:
generator/describe/private/list_parts.h:
generator/model/events.h:
generator/model/layout.h:
