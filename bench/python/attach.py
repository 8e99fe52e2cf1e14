"""What `deadweight attach` costs a server of Python: latency, pause and memory before, during and after.

    python3 bench/python/attach.py $(which deadweight) python3.12 100000 1000000

An HTTP server that was started without Deadweight holds so many dicts and gets 200 requests a second from a thread here.
"""

import http.client
import http.server
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

RATE = 200
SECONDS = 6


def serve(records):
    import json

    rows = [{"id": i, "name": "customer %d" % (i % 500), "total": i * 0.5} for i in range(records)]

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_GET(self):
            first = int(self.path[1:]) % records
            body = json.dumps(rows[first : first + 20]).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


class Client(threading.Thread):
    """Asks at its times, however long an answer takes: who waits behind a slow one waits longer."""

    def __init__(self, port):
        super().__init__()
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.waits = []
        self.ends = False

    def run(self):
        begin = time.monotonic()
        while not self.ends:
            due = begin + len(self.waits) / RATE
            time.sleep(max(due - time.monotonic(), 0))
            self.connection.request("GET", f"/{len(self.waits) * 7}")
            answer = self.connection.getresponse()
            answer.read()
            assert answer.status == 200
            self.waits.append((due, time.monotonic() - due))

    def between(self, start, end):
        waits = [wait * 1000 for due, wait in self.waits if start <= due < end]
        return f"{statistics.median(waits):.1f} / {max(waits):.0f} ms"


def resident(process):
    with open(f"/proc/{process}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) // 1000


def measure(deadweight, python, records):
    server = subprocess.Popen([python, __file__, "serve", str(records)], stdout=subprocess.PIPE, text=True)
    client = Client(int(server.stdout.readline()))
    client.start()
    time.sleep(SECONDS)
    descriptors = len(os.listdir(f"/proc/{server.pid}/fd"))
    before, begin = resident(server.pid), time.monotonic()
    with tempfile.TemporaryDirectory() as home:
        said = subprocess.run(
            [deadweight, "attach", str(server.pid), "--dir", home, "-o", os.path.join(home, "report")],
            capture_output=True, text=True, check=True,
        ).stderr
    end = time.monotonic()
    time.sleep(SECONDS)
    after = resident(server.pid)
    left = len(os.listdir(f"/proc/{server.pid}/fd")) - descriptors
    client.ends = True
    client.join()
    pause = re.search(r"stood still for (.*)", said)[1]
    print(
        f"{records} records: pause {pause}, the whole took {end - begin:.1f} s; median / worst before "
        f"{client.between(0, begin)}, during {client.between(begin, end)}, after {client.between(end, float('inf'))}; "
        f"resident {before} MB before, {after} MB after; {left} descriptors more",
        flush=True,
    )
    server.kill()


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]))
    else:
        for number in sys.argv[3:]:
            measure(sys.argv[1], sys.argv[2], int(number))
