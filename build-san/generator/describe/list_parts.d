build-san/generator/describe/list_parts.o: \
 generator/describe/list_parts.c generator/describe/private/list_parts.h \
 generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/model/world.h generator/base/json_writer.h \
 generator/base/text.h generator/model/layout.h generator/model/type.h
generator/describe/private/list_parts.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/model/world.h:
generator/base/json_writer.h:
generator/base/text.h:
generator/model/layout.h:
generator/model/type.h:
