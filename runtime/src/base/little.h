// Little: integers as little-endian bytes, which need not be aligned. Compilers make one instruction of each function.
#ifndef KIN_SRC_LITTLE_H
#define KIN_SRC_LITTLE_H

#include <stdint.h>

static inline uint32_t kin__little_read_32(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t kin__little_read_64(const unsigned char *bytes)
{
    return kin__little_read_32(bytes) | (uint64_t)kin__little_read_32(bytes + 4) << 32;
}

static inline void kin__little_write_16(unsigned char *bytes, uint16_t number)
{
    bytes[0] = (unsigned char)number;
    bytes[1] = (unsigned char)(number >> 8);
}

static inline void kin__little_write_32(unsigned char *bytes, uint32_t number)
{
    bytes[0] = (unsigned char)number;
    bytes[1] = (unsigned char)(number >> 8);
    bytes[2] = (unsigned char)(number >> 16);
    bytes[3] = (unsigned char)(number >> 24);
}

static inline void kin__little_write_64(unsigned char *bytes, uint64_t number)
{
    kin__little_write_32(bytes, (uint32_t)number);
    kin__little_write_32(bytes + 4, (uint32_t)(number >> 32));
}

#endif
