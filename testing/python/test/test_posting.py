import http.server
import json
import threading

import pytest
from deadweight_testing import post

from programs import wasteful

# The share is of the time since the start, which is short here.
ENOUGH = {"max_pause": 60, "max_cpu": 1000}


class _Server(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.arrived.append((self.path, body.decode()))
        self.send_response(403 if self.path.startswith("/refused") else 200)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    made = http.server.HTTPServer(("127.0.0.1", 0), _Server)
    made.arrived = []
    made.address = f"http://127.0.0.1:{made.server_port}"
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def test_a_weighing_arrives_without_the_texts_of_the_program(server):
    kept = wasteful(20_000)
    said = post(f"{server.address}/weighings?service=api", **ENOUGH)
    assert said and said.bytes > 1_000_000 and said.pause > 0, said
    [(path, body)] = server.arrived
    assert "service=api&host=" in path and "captured_at=" in path
    findings = json.loads(body)["findings"]
    assert any(found["rule"] == "D01" and found["count"] > 19_000 for found in findings), findings
    assert kept[0].city not in body


@pytest.mark.parametrize(
    "budget, why",
    [
        ({"max_bytes": 1000}, "more than 1000"),
        ({**ENOUGH, "max_pause": 1e-6}, "would stop the process for"),
        ({**ENOUGH, "max_cpu": 1e-9}, "% of a processor, more than"),
    ],
)
def test_what_would_cost_more_than_it_may_is_not_done(server, budget, why):
    said = post(server.address, **budget)
    assert not said and why in said.why, said
    assert server.arrived == []


def test_a_server_that_refuses_is_no_error_of_the_service(server):
    said = post(f"{server.address}/refused", **ENOUGH)
    assert not said and "403" in said.why, said


@pytest.mark.parametrize("budget", [{"max_cpu": "1 %"}, {"max_pause": 0}, {"max_bytes": True}])
def test_a_budget_that_is_none_is_an_error(server, budget):
    with pytest.raises(TypeError, match="must be a number above 0"):
        post(server.address, **budget)
