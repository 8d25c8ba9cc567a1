// Drives a server as ../main.go says (../README.md, "Clients") with the official TypeScript SDK 2.x, which is
// published as @modelcontextprotocol/client.

import { readFileSync } from "node:fs";
import { Client, ProtocolError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const job = JSON.parse(readFileSync(0, "utf8"));
const transport = job.url
  ? new StreamableHTTPClientTransport(new URL(job.url))
  : new StdioClientTransport({ command: job.command[0], args: job.command.slice(1) });
const client = new Client(
  { name: "interop", version: "1" },
  { versionNegotiation: { mode: job.era === "modern" ? { pin: job.modern } : "legacy" } });
const report = { calls: [] };

/** Makes a call and returns what came of it, as the driver wants it. */
async function call({ tool, arguments: args }, options) {
  try {
    const { content, structuredContent: structured, isError = false } = await client.callTool(
      { name: tool, arguments: args }, options);
    return { content, structured, isError };
  } catch (error) {
    if (!(error instanceof ProtocolError)) return { thrown: String(error) };
    return { code: error.code, message: error.message };
  }
}

await client.connect(transport);
report.server = client.getServerVersion();
report.revision = client.getNegotiatedProtocolVersion();
report.tools = (await client.listTools()).tools.map((tool) => tool.name); // all pages

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

if (job.url && job.era === "legacy") await transport.terminateSession();
await client.close();
console.log(JSON.stringify(report));
