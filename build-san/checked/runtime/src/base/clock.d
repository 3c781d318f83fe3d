build-san/checked/runtime/src/base/clock.o: runtime/src/base/clock.c \
 runtime/src/base/clock.h
runtime/src/base/clock.h:
