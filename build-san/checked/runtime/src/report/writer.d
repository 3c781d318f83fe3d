build-san/checked/runtime/src/report/writer.o: \
 runtime/src/report/writer.c runtime/src/report/writer.h \
 runtime/src/base/assertion.h runtime/src/report/escape.h
runtime/src/report/writer.h:
runtime/src/base/assertion.h:
runtime/src/report/escape.h:
