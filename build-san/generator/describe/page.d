build-san/generator/describe/page.o: generator/describe/page.c \
 generator/describe/page.h generator/base/arena.h \
 generator/model/schema.h generator/diagnostic/source.h \
 generator/model/constant.h generator/template/value.h \
 generator/base/text.h generator/describe/private/list_cells.h \
 generator/describe/private/table.h generator/model/world.h \
 generator/describe/private/list_parts.h generator/model/events.h \
 generator/model/layout.h
generator/describe/page.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/template/value.h:
generator/base/text.h:
generator/describe/private/list_cells.h:
generator/describe/private/table.h:
generator/model/world.h:
generator/describe/private/list_parts.h:
generator/model/events.h:
generator/model/layout.h:
