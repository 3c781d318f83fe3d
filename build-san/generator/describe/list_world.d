build-san/generator/describe/list_world.o: \
 generator/describe/list_world.c generator/describe/list.h \
 generator/base/text.h generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/describe/private/list_cells.h \
 generator/describe/private/table.h generator/model/world.h \
 generator/describe/private/list_parts.h
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
