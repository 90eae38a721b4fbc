#include "wire.h"

#include <string.h>

#ifdef __AVR__
#include <util/crc16.h>
#define crc_add _crc_xmodem_update
#else
static uint16_t crc_add(uint16_t crc, uint8_t byte)
{
    crc ^= (uint16_t)byte << 8;
    for (uint8_t i = 0; i < 8; i++)
        crc = crc & 0x8000 ? (uint16_t)(crc << 1) ^ 0x1021 : (uint16_t)(crc << 1);
    return crc;
}
#endif

static uint16_t crc_of(const uint8_t *bytes, uint8_t size)
{
    uint16_t crc = 0xFFFF;
    while (size--)
        crc = crc_add(crc, *bytes++);
    return crc;
}

uint8_t wire_encode(uint8_t *wire, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t size)
{
    uint8_t raw[PAYLOAD_MAX + OVERHEAD];
    raw[0] = type;
    raw[1] = seq;
    memcpy(raw + 2, payload, size);
    size += 2;
    const uint16_t crc = crc_of(raw, size);
    raw[size++] = crc & 0xFF;
    raw[size++] = crc >> 8;
    uint8_t code = 0; /* where the distance to the next zero goes */
    uint8_t at = 1;
    for (uint8_t i = 0; i < size; i++) {
        if (raw[i]) {
            wire[at++] = raw[i];
        } else {
            wire[code] = at - code;
            code = at++;
        }
    }
    wire[code] = at - code;
    wire[at++] = 0;
    return at;
}

/* Answers the length, 0 where it is no COBS. */
static uint8_t unstuff(const uint8_t *block, uint8_t size, uint8_t *raw)
{
    uint8_t length = 0;
    for (uint8_t at = 0; at < size;) {
        const uint8_t code = block[at++];
        if (code == 0 || code - 1 > size - at)
            return 0;
        for (uint8_t i = 1; i < code; i++)
            raw[length++] = block[at++];
        if (at < size)
            raw[length++] = 0;
    }
    return length;
}

uint8_t wire_decode(const uint8_t *block, uint8_t size, uint8_t *raw, frame_t *frame)
{
    const uint8_t length = unstuff(block, size, raw);
    if (length < OVERHEAD)
        return 0;
    const uint16_t crc = raw[length - 2] | (uint16_t)raw[length - 1] << 8;
    if (crc_of(raw, length - 2) != crc)
        return 0;
    frame->type = raw[0];
    frame->seq = raw[1];
    frame->size = length - OVERHEAD;
    frame->payload = raw + 2;
    return 1;
}

static uint8_t payload_of(uint8_t type)
{
    switch (type) {
    case GET_HELLO:
    case SET_ZERO:
        return 0;
    case IDENTIFY:
        return 1;
    case SET_REPORTING:
        return 2;
    default:
        return 0xFF;
    }
}

/* A sound command of just its length behind the rest of something else whose end was lost. */
static uint8_t dig(block_t *block, frame_t *frame)
{
    for (uint8_t payload = 0; payload <= 2; payload++) {
        const uint8_t size = payload + OVERHEAD + 1;
        if (size < block->size && wire_decode(block->bytes + block->size - size, size, block->raw, frame) &&
            frame->size == payload && payload_of(frame->type) == payload)
            return 1;
    }
    return 0;
}

uint8_t wire_take(block_t *block, uint8_t byte, frame_t *frame)
{
    if (byte) {
        if (block->size == BLOCK_MAX) {
            memmove(block->bytes, block->bytes + BLOCK_MAX - BLOCK_KEPT + 1, BLOCK_KEPT - 1);
            block->size = BLOCK_KEPT - 1;
        }
        block->bytes[block->size++] = byte;
        return 0;
    }
    const uint8_t found = wire_decode(block->bytes, block->size, block->raw, frame) || dig(block, frame);
    block->size = 0;
    return found;
}
