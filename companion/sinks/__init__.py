"""Where events go: lines of JSON, a terminal, MQTT. A sink may fall behind; it never holds up the table."""
