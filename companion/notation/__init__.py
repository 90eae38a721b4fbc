"""Games as text: the program's own record, and the logs of an online platform. Pure: texts in, games out."""
