/* Frames of PROTOCOL.md: COBS, CRC, and the commands in a stream of bytes. No port, no clock. */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 0

enum {
    HELLO = 0x01, STATE = 0x02, ACK = 0x03, NACK = 0x04,
    GET_HELLO = 0x81, SET_ZERO = 0x82, SET_REPORTING = 0x83, IDENTIFY = 0x84
};
enum { UNKNOWN_COMMAND = 1, BAD_VALUE = 2, NOT_NOW = 3 };

#define PAYLOAD_MAX 29                  /* HELLO's */
#define OVERHEAD 4                      /* type, sequence number, CRC */
#define FRAME_MAX (PAYLOAD_MAX + OVERHEAD + 2) /* on the wire, with COBS's byte and the closing zero */
#define BLOCK_MAX 128                   /* bytes without an end that are waited for */
#define BLOCK_KEPT (FRAME_MAX - 1)      /* of them when none comes: they may be a frame */

typedef struct {
    uint8_t type;
    uint8_t seq;
    uint8_t size; /* of the payload */
    const uint8_t *payload;
} frame_t;

/* Bytes of a stream until their end. */
typedef struct {
    uint8_t bytes[BLOCK_MAX];
    uint8_t size;
    uint8_t raw[BLOCK_MAX];
} block_t;

/* Write a whole frame; answers its length. `wire` has FRAME_MAX bytes. */
uint8_t wire_encode(uint8_t *wire, uint8_t type, uint8_t seq, const uint8_t *payload, uint8_t size);

/* Read a block (without its zero) through `raw`, which has as many bytes; answers whether it is a frame. */
uint8_t wire_decode(const uint8_t *block, uint8_t size, uint8_t *raw, frame_t *frame);

/* Take a byte; answers whether it completes a frame, which is good until the next byte. */
uint8_t wire_take(block_t *block, uint8_t byte, frame_t *frame);

#endif
