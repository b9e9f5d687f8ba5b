// `node bench/mcp.mjs`: compares the latency of MCP calls with a bare server of the official SDK, in the same rounds. See README.md.
//   --rounds 3     number of rounds
//   --seconds 2    duration of each measurement
//   --profile DIR  also writes a CPU profile of the product to DIR
// It needs a build, and `pnpm mcp-clients`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median, percentile, table } from './figures.mjs';
import { apply } from './load.mjs';
import { cpuOf, startServer } from './processes.mjs';
import { create, preload, startProduct } from './product.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    profile: { type: 'string' },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

/**
 * The number of times that the workspace configures the integration hash-encode, which has 4 actions. With the actions of github and the built-in
 * tools, the server has 498 tools, which fit in one page of `tools/list`.
 */
const INSTANCES = 119;
const MODES = [
  { name: 'one at a time', inFlight: 1 },
  { name: '32 in flight', inFlight: 32 },
];
const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HASH = {
  name: 'h0__hash',
  arguments: { text: 'Since this morning the gate stays closed.', algorithm: 'sha256' },
};

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bench-mcp-'));
const stops = [() => rmSync(folder, { recursive: true, force: true })];

try {
  const profiling = values.profile
    ? { NODE_OPTIONS: preload('profile.mjs'), PROFILE_DIR: resolve(values.profile) }
    : {};
  const product = await startProduct('http://127.0.0.1:9', profiling); // this benchmark sends no calls to GitHub
  stops.push(product.stop);
  const agent = await agentOf(product);
  const list = join(folder, 'tools.json');
  const tools = await toolsOf(agent);
  writeFileSync(list, JSON.stringify(tools));
  const bare = await startServer('sdk-server.mjs', list);
  stops.push(bare.stop);
  const ours = { ...agent, pids: [product.pid, product.databasePid] };
  const theirs = { url: `${bare.url}/mcp`, pids: [bare.pid] };
  console.log(`${tools.length} tools, load ${loadavg()[0].toFixed(1)}\n\n${report(await measureAll(ours, theirs))}`);
} finally {
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
}

/** Creates an MCP server with many tools, and an access token of an end user. */
async function agentOf(product) {
  const { workspaceId } = product.action;
  for (let n = 0; n < INSTANCES; n++) {
    const integration = { integrationName: 'hash-encode', alias: `h${n}` };
    await create(product, `/api/v1/workspaces/${workspaceId}/integrations`, integration);
  }
  await create(product, '/api/v1/end-users', { workspaceId, externalId: 'ann' });
  const server = { name: 'Bench', workspaceId, authMode: 'bearer' };
  const { server: made, mcpEndpoint } = await create(product, '/api/v1/mcp/servers', server);
  const tokens = `/api/v1/mcp/servers/${made.id}/access-tokens`;
  const { accessToken } = await create(product, tokens, { endUserId: 'ann' });
  return { url: mcpEndpoint, token: accessToken };
}

async function toolsOf(agent) {
  const { url, headers, body } = messageOf(agent, 'tools/list', {});
  const { result } = await (await fetch(url, { method: 'POST', headers, body: body() })).json();
  if (result.nextCursor) throw new Error('There are more tools than a page has');
  return result.tools;
}

/** Returns a subject for `apply`. */
function messageOf({ url, token, pids }, method, params) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(params.name && { 'mcp-name': params.name }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
  return { url, headers, pids, body: () => text };
}

async function measureAll(ours, theirs) {
  const kinds = [
    ['tools/call', HASH],
    ['tools/list', {}],
  ];
  const subjects = kinds.flatMap(([method, params]) => [
    { name: `SDK, ${method}`, ...messageOf(theirs, method, params) },
    { name: `product, ${method}`, ...messageOf(ours, method, params) },
  ]);
  for (const subject of subjects) await apply(subject, { inFlight: 32 }, 2);
  const figures = [];
  for (let round = 0; round < rounds; round++) {
    for (const mode of MODES) for (const subject of subjects) figures.push(await measure(subject, mode));
  }
  return figures;
}

async function measure(subject, mode) {
  await apply(subject, mode, 0.3);
  const before = cpuOf(subject.pids);
  const { latencies, seconds: lasted } = await apply(subject, mode, seconds);
  const cpu = (cpuOf(subject.pids) - before) / latencies.length;
  const [p50, p99] = [50, 99].map((p) => percentile(latencies, p));
  return { mode: mode.name, name: subject.name, p50, p99, rate: latencies.length / lasted, cpu };
}

/**
 * Formats the medians of all rounds. The last two columns compare the product with the SDK: the ratio of calls per second, and the difference of p50.
 */
function report(figures) {
  const of = (mode, name, key) =>
    median(figures.filter((one) => one.mode === mode && one.name === name).map((one) => one[key]));
  return MODES.map(({ name: mode }) => {
    const names = [...new Set(figures.map(({ name }) => name))];
    const rows = names.map((name) => {
      const bare = name.replace('product', 'SDK');
      const isOurs = bare !== name;
      return [
        name,
        ...['p50', 'p99'].map((key) => of(mode, name, key).toFixed(2)),
        of(mode, name, 'rate').toFixed(0),
        of(mode, name, 'cpu').toFixed(2),
        isOurs ? (of(mode, name, 'rate') / of(mode, bare, 'rate')).toFixed(2) : '',
        isOurs ? (of(mode, name, 'p50') - of(mode, bare, 'p50')).toFixed(2) : '',
      ];
    });
    return `${mode}\n${table([['', 'p50 ms', 'p99 ms', 'calls/s', 'CPU ms', '÷ SDK', '− SDK ms'], ...rows])}`;
  }).join('\n\n');
}
