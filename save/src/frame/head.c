#include "frame/head.h"

#include "frame/decode.h"
#include "frame/format.h"

#include <inttypes.h>
#include <string.h>

enum { HEAD_LIMIT = 16 + 2 * (2 + UINT16_MAX) }; // bytes of the block

void kin__head_write(kin__block_writer *writer, const kin__head *head, const kin_write_options *options)
{
    kin__write_16(writer, KIN__FORMAT);
    kin__write_16(writer, head->is_recording ? KIN__WHAT_RECORDING : KIN__WHAT_SAVE);
    kin__write_32(writer, head->version);
    kin__write_64(writer, head->frame);
    kin__write_text(writer, head->package);
    kin__write_text(writer, "kin " KIN_VERSION);
    kin__block_writer_put(writer, "HEAD");
    if (options != NULL && options->meta_size > 0) {
        kin__write_bytes(writer, options->meta, options->meta_size);
        kin__block_writer_put(writer, "META");
    }
}

bool kin__head_read(kin__block_reader *reader, kin__head *head)
{
    size_t size;
    if (!kin__block_reader_next(reader, HEAD_LIMIT))
        return false;
    if (!kin__block_reader_is(reader, "HEAD"))
        return kin__block_reader_fault(reader, 1309, "the first block is not the head");
    kin__decoder decoder = kin__decoder_of(reader);
    uint16_t format = kin__decode_16(&decoder), what = kin__decode_16(&decoder);
    if (!decoder.is_short && format > KIN__FORMAT)
        return kin__fault_note(reader->input->fault, KIN_ERROR_SHAPE,
                               "it has format %" PRIu16
                               ", and this version of Kin reads format %d; use a newer version [K1304]",
                               format, KIN__FORMAT);
    head->version = kin__decode_32(&decoder);
    head->frame = kin__decode_64(&decoder);
    head->package = kin__decode_text(&decoder, &head->package_size);
    const char *program = kin__decode_text(&decoder, &size);
    head->is_recording = what == KIN__WHAT_RECORDING;
    if (!kin__decoder_end(&decoder, reader))
        return false;
    if (format != KIN__FORMAT || (what != KIN__WHAT_SAVE && what != KIN__WHAT_RECORDING))
        return kin__block_reader_fault(reader, 1307, "format %d has no files of kind %d", format, what);
    if (!kin__is_name(head->package, head->package_size) || !kin__is_name(program, size))
        return kin__block_reader_fault(reader, 1307, "a name is not UTF-8");
    return true;
}

static void fill_info(kin_file_info *info, const kin__head *head)
{
    size_t size = head->package_size < sizeof info->package ? head->package_size : sizeof info->package - 1;
    *info = (kin_file_info){.version = head->version, .format = KIN__FORMAT, .frame = head->frame};
    info->is_recording = head->is_recording;
    if (size > 0)
        memcpy(info->package, head->package, size);
}

static bool look(kin__block_reader *reader, kin_file_info *info, void *meta, size_t capacity)
{
    kin__head head;
    kin_file_info found;
    if (!kin__head_read(reader, &head))
        return false;
    fill_info(&found, &head);
    if (!kin__block_reader_next(reader, KIN__BLOCK_LIMIT))
        return false;
    if (kin__block_reader_is(reader, "META")) {
        if (reader->size > KIN_META_SIZE)
            return kin__block_reader_fault(reader, 1307, "it has too many bytes");
        found.meta_size = reader->size;
        size_t size = found.meta_size < capacity ? found.meta_size : capacity;
        if (size > 0)
            memcpy(meta, reader->bytes, size);
    }
    *info = found;
    return true;
}

kin_status kin_file_look(kin_source source, kin_file_info *info, void *meta, size_t capacity)
{
    kin__fault fault = {KIN_OK, ""};
    kin__input input;
    kin__block_reader reader;
    if (source.read == NULL || info == NULL || (meta == NULL && capacity > 0))
        return KIN_ERROR_INVALID;
    kin__block_reader_begin(&reader, &input);
    if (kin__input_begin(&input, source, UINT64_MAX, &fault))
        look(&reader, info, meta, capacity);
    kin__block_reader_end(&reader);
    kin__input_end(&input);
    return fault.status;
}
