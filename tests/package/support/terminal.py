# Runs a program with its errors on a terminal and its output in a pipe, and tells what came on each, as JSON.
import json
import os
import pty
import select
import sys

reader, writer = os.pipe()
child, terminal = pty.fork()
if child == 0:
    os.dup2(writer, 1)
    os.close(reader)
    os.execvp(sys.argv[1], sys.argv[1:])
os.close(writer)

heard = {terminal: b"", reader: b""}
waiting = list(heard)
while waiting:
    for source in select.select(waiting, [], [])[0]:
        try:
            piece = os.read(source, 65536)
        except OSError:
            # A terminal whose last user has gone ends so.
            piece = b""
        if piece == b"":
            waiting.remove(source)
        heard[source] += piece
_, status = os.waitpid(child, 0)
print(json.dumps({
    "status": os.waitstatus_to_exitcode(status),
    "out": heard[reader].decode(),
    "err": heard[terminal].decode(),
}))
