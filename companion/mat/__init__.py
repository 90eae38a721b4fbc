"""`companion mat`: markers, patches and the board's lines as a PDF at true scale.

`papers` says which part of a mat comes on which sheet, `content` what there is to print of a board, `drawing` puts it
on paper.
"""
