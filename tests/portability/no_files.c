// Files for machines whose system calls libkin-save does not know: none can be opened.
#include "file/file.h"

bool kin__file_begin(kin__file *file, const char *path, kin__fault *fault)
{
    *file = (kin__file){.path = path, .number = -1, .fault = fault};
    return kin__fault_note(fault, KIN_ERROR_STREAM, "cannot open '%s': there are no files here", path);
}

kin_sink kin__file_sink(kin__file *file)
{
    return (kin_sink){NULL, file};
}

bool kin__file_end(kin__file *file)
{
    return file->fault->status == KIN_OK;
}

bool kin__read_file_begin(kin__read_file *file, const char *path, kin__fault *fault)
{
    *file = (kin__read_file){path, -1, fault};
    return kin__fault_note(fault, KIN_ERROR_STREAM, "cannot open '%s': there are no files here", path);
}

kin_source kin__read_file_source(kin__read_file *file)
{
    return (kin_source){NULL, NULL, file};
}

void kin__read_file_end(kin__read_file *file)
{
    (void)file;
}
