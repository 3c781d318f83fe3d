build-san/generator/describe/list_json_type.o: \
 generator/describe/list_json_type.c \
 generator/describe/private/list_json.h generator/base/json_writer.h \
 generator/base/text.h generator/base/arena.h generator/model/schema.h \
 generator/diagnostic/source.h generator/model/constant.h \
 generator/describe/private/list_parts.h generator/model/world.h \
 generator/model/layout.h generator/model/type.h
generator/describe/private/list_json.h:
generator/base/json_writer.h:
generator/base/text.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/describe/private/list_parts.h:
generator/model/world.h:
generator/model/layout.h:
generator/model/type.h:
