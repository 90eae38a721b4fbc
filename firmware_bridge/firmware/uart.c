#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

/* Powers of two, and indices of one byte: the interrupt owns one end, the main loop the other, neither can tear. */
#define TX_SIZE 128 /* three of the longest frames */
#define RX_SIZE 64  /* 5 ms of the line, five turns of the main loop */

static uint8_t tx[TX_SIZE], rx[RX_SIZE];
static volatile uint8_t tx_in, tx_out, rx_in, rx_out;

void uart_start(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 16; /* 117647 baud, 2.1 % off; without the doubler it would be 3.5 % */
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect)
{
    const uint8_t byte = UDR0;
    const uint8_t next = (rx_in + 1) % RX_SIZE;
    if (next == rx_out)
        return;
    rx[rx_in] = byte;
    rx_in = next;
}

ISR(USART_UDRE_vect)
{
    if (tx_out == tx_in) {
        UCSR0B &= ~_BV(UDRIE0);
        return;
    }
    UDR0 = tx[tx_out];
    tx_out = (tx_out + 1) % TX_SIZE;
}

uint8_t uart_send(const uint8_t *bytes, uint8_t size)
{
    uint8_t in = tx_in;
    if ((uint8_t)(tx_out - in - 1) % TX_SIZE < size)
        return 0;
    while (size--) {
        tx[in] = *bytes++;
        in = (in + 1) % TX_SIZE;
    }
    tx_in = in;
    /* an interrupt in the middle of this would only find the queue empty and say so again */
    UCSR0B |= _BV(UDRIE0);
    return 1;
}

int16_t uart_next(void)
{
    if (rx_in == rx_out)
        return -1;
    const uint8_t byte = rx[rx_out];
    rx_out = (rx_out + 1) % RX_SIZE;
    return byte;
}
