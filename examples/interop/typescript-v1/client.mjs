// Drives a server as ../main.go says (../README.md, "Clients") with the official TypeScript SDK 1.x.

import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";

const job = JSON.parse(readFileSync(0, "utf8"));
const transport = job.url
  ? new StreamableHTTPClientTransport(new URL(job.url))
  : new StdioClientTransport({ command: job.command[0], args: job.command.slice(1) });
const client = new Client({ name: "interop", version: "1" });
const report = { calls: [] };
const { setProtocolVersion } = transport;
transport.setProtocolVersion = (version) => {
  report.revision = version;
  setProtocolVersion?.call(transport, version);
};

/** Makes a call and returns what came of it, as the driver wants it. */
async function call({ tool, arguments: args }, options) {
  try {
    const { content, structuredContent: structured, isError = false } = await client.callTool(
      { name: tool, arguments: args }, undefined, options);
    return { content, structured, isError };
  } catch (error) {
    if (!(error instanceof McpError)) return { thrown: String(error) };
    return { code: error.code, message: error.message.replace(/^MCP error -?\d+: /, "") };
  }
}

await client.connect(transport);
report.server = client.getServerVersion();

report.tools = [];
let cursor;
do {
  const page = await client.listTools({ cursor });
  report.tools.push(...page.tools.map((tool) => tool.name));
  cursor = page.nextCursor;
} while (cursor !== undefined);

for (const one of job.calls) report.calls.push(await call(one));

if (job.progress) {
  report.notices = [];
  report.progress = await call(job.progress, { onprogress: ({ progress }) => report.notices.push(progress) });
}

if (job.cancel) {
  const reason = new AbortController();
  setTimeout(() => reason.abort("no longer wanted"), job.cancelAfter * 1000);
  const canceled = await call(job.cancel, { signal: reason.signal });
  report.canceled = "thrown" in canceled || "code" in canceled;
  report.after = await call(job.after);
}

if (job.url) await transport.terminateSession();
await client.close();
console.log(JSON.stringify(report));
