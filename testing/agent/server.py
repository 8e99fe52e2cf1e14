"""How the server is started, and how its tools are called."""

import json
import os

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitResult

DEADWEIGHT = os.environ.get("DEADWEIGHT", "deadweight")


def parameters(folder, *arguments):
    """What starts a server in a folder."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return StdioServerParameters(
        command=DEADWEIGHT, args=["mcp", *arguments], cwd=str(folder), env=environment
    )


class User:
    """Who is asked before a program is started."""

    def __init__(self, answer="accept"):
        self.answer = answer
        self.asked = []

    async def __call__(self, context, params):
        self.asked.append(params.message)
        content = {} if self.answer == "accept" else None
        return ElicitResult(action=self.answer, content=content)


def client(server, mode="auto", user=None):
    """A client of a server, which asks a user where there is one."""
    return Client(server, mode=mode, elicitation_callback=user, read_timeout_seconds=600)


async def call(connected, tool, **arguments):
    """Calls a tool; what it found, or an error with what it says."""
    result = await connected.call_tool(tool, arguments)
    text = result.content[0].text
    if result.is_error:
        raise RuntimeError(f"{tool}: {text}")
    assert json.loads(text) == result.structured_content, tool
    return result.structured_content
