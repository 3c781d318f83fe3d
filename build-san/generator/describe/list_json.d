build-san/generator/describe/list_json.o: generator/describe/list_json.c \
 generator/describe/list.h generator/base/text.h generator/base/arena.h \
 generator/model/schema.h generator/diagnostic/source.h \
 generator/model/constant.h generator/describe/private/list_json.h \
 generator/base/json_writer.h generator/describe/private/list_parts.h \
 generator/model/world.h generator/model/events.h generator/model/names.h
generator/describe/list.h:
generator/base/text.h:
generator/base/arena.h:
generator/model/schema.h:
generator/diagnostic/source.h:
generator/model/constant.h:
generator/describe/private/list_json.h:
generator/base/json_writer.h:
generator/describe/private/list_parts.h:
generator/model/world.h:
generator/model/events.h:
generator/model/names.h:
