"""The server as an independent client sees it."""

import asyncio
import pathlib
import subprocess
import tempfile

from server import DEADWEIGHT, User, call, client, parameters

PROGRAM = """\
class Customer {
  constructor(id) {
    this.id = id
    this.tags = TAGS
  }
}
globalThis.customers = Array.from({ length: 20000 }, (_, id) => new Customer(id))
"""

TOOLS = {
    "weigh", "run", "attach", "findings", "finding", "path", "source", "fix", "explain", "prove", "check",
    "diff",
}  # fmt: skip


async def session(connected, user, path):
    """Lists, weighs, reads, and proves."""
    tools = (await connected.list_tools()).tools
    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.output_schema["type"] == "object" for tool in tools)
    prompts = (await connected.list_prompts()).prompts
    prompt = await connected.get_prompt(prompts[0].name, {"target": "app.heapsnapshot"})
    assert "app.heapsnapshot" in prompt.messages[0].content.text

    before = await call(connected, "run", program=["node", "before.js"])
    largest = before["summary"]["largest"][0]
    assert (largest["rule"], largest["holder"]) == ("C01", "Customer.tags"), largest
    # A capture has a name of its own, and the same weight.
    weighed = await call(connected, "weigh", path=path)
    assert weighed["held"]["dead"] > 300_000, weighed
    page = await call(connected, "findings", weighing=weighed["weighing"], rule="C01")
    assert page["findings"][0]["finding"] == largest["finding"]
    after = await call(connected, "run", program=["node", "after.js"])
    proof = await call(
        connected, "prove", before=before["summary"]["weighing"], after=after["summary"]["weighing"]
    )
    assert proof["fixes"][0]["outcome"] == "mended", proof
    assert proof["error"] < 0.05, proof
    resources = (await connected.list_resources()).resources
    assert proof["resource"] in {str(resource.uri) for resource in resources}
    read = await connected.read_resource(proof["resource"])
    assert "deadweight/proof/1" in read.contents[0].text
    assert len(user.asked) == 2 and '"before.js"' in user.asked[0], user.asked

    user.answer = "decline"
    try:
        await call(connected, "run", program=["node", "before.js"])
    except RuntimeError as refused:
        assert "declined" in str(refused), refused
    else:
        raise AssertionError("it ran without consent")


async def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, tags in (("before", "[]"), ("after", "null")):
            (folder / f"{name}.js").write_text(PROGRAM.replace("TAGS", tags))
        for mode in ("auto", "legacy"):
            user = User()
            async with client(parameters(folder, "--allow-run"), mode, user) as connected:
                await session(connected, user, "deadweight-captures")
                print(f"{mode}: {connected.protocol_version} over standard input")
        # Clients by HTTP share what was weighed.
        process = subprocess.Popen(
            [DEADWEIGHT, "mcp", "--http", "127.0.0.1:0", "--allow-run"],
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            address = process.stderr.readline().split()[-1]
            for mode in ("auto", "legacy"):
                user = User()
                async with client(address, mode, user) as connected:
                    await session(connected, user, "deadweight-captures")
                    print(f"{mode}: {connected.protocol_version} by HTTP")
        finally:
            process.kill()
            process.wait()


asyncio.run(main())
