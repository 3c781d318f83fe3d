build-san/generator/describe/list_cells.o: \
 generator/describe/list_cells.c generator/describe/private/list_cells.h \
 generator/base/arena.h generator/base/text.h \
 generator/describe/private/table.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/model/world.h generator/describe/private/list_parts.h
generator/describe/private/list_cells.h:
generator/base/arena.h:
generator/base/text.h:
generator/describe/private/table.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/model/world.h:
generator/describe/private/list_parts.h:
