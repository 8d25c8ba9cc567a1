// Serves the benchmark's tools with the official TypeScript SDK 1.x, written as its
// documentation shows: schemas of zod, and over HTTP a server and a transport a session.
//
//   node server.mjs [-http] [-tools N]

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const numbers = { _1: z.array(z.number()) };
const kinds = {
  echo: { inputSchema: { _1: z.string() }, run: ({ _1 }) => _1 },
  add: { inputSchema: { _1: z.number().int(), _2: z.number().int() }, run: ({ _1, _2 }) => _1 + _2 },
  numbers: { inputSchema: numbers, run: ({ _1 }) => _1 },
  sum: { inputSchema: numbers, run: ({ _1 }) => _1.reduce((a, b) => a + b, 0) },
};

/** Returns the tools to serve: the benchmark's, or so many of three kinds in turn. */
function served(count) {
  if (!count) return { ...kinds, numbersPool: kinds.numbers };
  const turns = [kinds.echo, kinds.add, kinds.numbers];
  const name = (i) => "tool" + String(i).padStart(4, "0");
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), turns[i % turns.length]]));
}

const args = process.argv.slice(2);
const tools = served(Number(args[args.indexOf("-tools") + 1] * args.includes("-tools")));

function newServer() {
  const server = new McpServer({ name: "bench", version: "1" });
  for (const [name, { inputSchema, run }] of Object.entries(tools)) {
    server.registerTool(name, { description: "The argument itself", inputSchema }, async (a) => ({
      content: [{ type: "text", text: JSON.stringify(run(a)) }],
    }));
  }
  return server;
}

async function serveHTTP() {
  const sessions = new Map();
  const http = createServer(async (req, res) => {
    let transport = sessions.get(req.headers["mcp-session-id"]);
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: true,
        onsessioninitialized: (id) => sessions.set(id, transport),
      });
      await newServer().connect(transport);
    }
    await transport.handleRequest(req, res);
  });
  http.listen(0, "127.0.0.1", () => console.error(`over HTTP at http://127.0.0.1:${http.address().port}/mcp`));
}

if (args.includes("-http")) await serveHTTP();
else await newServer().connect(new StdioServerTransport());
