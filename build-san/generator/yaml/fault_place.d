build-san/generator/yaml/fault_place.o: generator/yaml/fault_place.c \
 generator/yaml/private/fault_place.h generator/diagnostic/diagnostic.h \
 generator/base/arena.h generator/diagnostic/codes.h \
 generator/diagnostic/source.h generator/yaml/private/fault.h
generator/yaml/private/fault_place.h:
generator/diagnostic/diagnostic.h:
generator/base/arena.h:
generator/diagnostic/codes.h:
generator/diagnostic/source.h:
generator/yaml/private/fault.h:
