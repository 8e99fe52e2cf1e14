"""Many small tasks of asyncio, each of which takes a request apart."""

import asyncio


async def handle(request):
    await asyncio.sleep(0)
    fields = dict(part.split("=") for part in request.split("&"))
    return "|".join(sorted(f"{key}:{value}" for key, value in fields.items()))


async def main():
    total = 0
    for page in range(240):
        requests = (f"id={i}&user=u{i}&page={page}&q=a+b" for i in range(500))
        total += sum(map(len, await asyncio.gather(*map(handle, requests))))
    print(total)


asyncio.run(main())
