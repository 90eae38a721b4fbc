/* The serial line, 115200 baud 8N1, by interrupt and with bounded buffers. */
#ifndef UART_H
#define UART_H

#include <stdint.h>

void uart_start(void);

/* Put bytes in the queue, all or none; answers whether there was room. */
uint8_t uart_send(const uint8_t *bytes, uint8_t size);

/* The next byte that came in, or -1. What comes in while the buffer is full is lost. */
int16_t uart_next(void);

#endif
