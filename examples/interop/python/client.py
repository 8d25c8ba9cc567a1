"""Drives a server as ../main.go says (../README.md, "Clients") with the official Python SDK."""

import json
import sys

import anyio
from mcp import Client, MCPError, StdioServerParameters


class Caller:
    """Makes calls and returns what came of them, as the driver wants it."""

    def __init__(self, client):
        self.client = client

    async def call(self, one, **options):
        try:
            result = await self.client.call_tool(one["tool"], one.get("arguments"), **options)
        except MCPError as error:
            return {"code": error.code, "message": error.message}
        except Exception as error:
            return {"thrown": repr(error)}
        made = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        answer = {"content": made["content"], "isError": made.get("isError", False)}
        if result.structured_content is not None:
            answer["structured"] = result.structured_content
        return answer

    async def report(self, job):
        client = self.client
        report = {"revision": client.protocol_version, "tools": [], "calls": []}
        if client.server_info:
            report["server"] = {"name": client.server_info.name, "version": client.server_info.version}
        cursor = None
        while True:
            page = await client.list_tools(cursor=cursor)
            report["tools"] += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
        for one in job["calls"]:
            report["calls"].append(await self.call(one))
        if job.get("progress"):
            report["notices"] = []

            async def notice(progress, total, message):
                report["notices"].append(progress)

            report["progress"] = await self.call(job["progress"], progress_callback=notice)
        if job.get("cancel"):
            with anyio.move_on_after(job["cancelAfter"]) as scope:
                await self.call(job["cancel"])
            report["canceled"] = scope.cancelled_caught
            report["after"] = await self.call(job["after"])
        return report


async def main():
    job = json.load(sys.stdin)
    server = job.get("url") or StdioServerParameters(command=job["command"][0], args=job["command"][1:])
    # A version in place of "auto" would not ask the server for its name.
    mode = "auto" if job["era"] == "modern" else "legacy"
    async with Client(server, mode=mode) as client:
        report = await Caller(client).report(job)
    print(json.dumps(report))


if __name__ == "__main__":
    anyio.run(main)
