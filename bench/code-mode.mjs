// `node bench/code-mode.mjs`: measures programs of Code Mode compared with the same action over REST, and the pauses and stored state of programs.
// See README.md.
//   --rounds 3     number of rounds
// It needs a build.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { searchIndex } from '@drawbridge/code-mode';
import { inputSchema } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import pg from 'pg';
import { openAgent } from './agent.mjs';
import { median, percentile, table } from './figures.mjs';
import { create, startProduct } from './product.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const ROUNDS = Number(values.rounds);
const STARTS = 50;
const SINGLE_CALLS = 200;
const PROGRAM_CALLS = 1_000;
const PAUSES = 10;
const ACTIONS = 5_000;
const QUERIES = ['create issue', 'send a slack mesage', 'list the customers and their payments', 'gihtub isue'];

const HASH = { text: 'Since this morning the gate stays closed.', algorithm: 'sha256' };
const IN_TURN = `for (let at = 0; at < ${PROGRAM_CALLS}; at++) await svc.hash.hash(${JSON.stringify(HASH)}); return 1`;
const AT_ONCE = `const one = () => svc.hash.hash(${JSON.stringify(HASH)}); for (let at = 0; at < ${PROGRAM_CALLS}; at += 50) await Promise.all(Array.from({ length: 50 }, one)); return 1`;
/**
 * A call that needs an approval because of the URL in its input, so the program pauses at the call. A paused program stores its variables: the first
 * program has none, the second has 50 issues.
 */
const GATED = `await svc.hash.hash({ text: 'https://pause.example/', algorithm: 'md5' })`;
const PAUSING = {
  'nothing in variables': `${GATED}; return 1`,
  '50 issues of 2 kB in a variable': `const issues = Array.from({ length: 50 }, (_, id) => ({ id, title: 'Issue ' + id, body: 'The gate stays closed. '.repeat(85) })); ${GATED}; return issues.length`,
};

const stops = [];
try {
  const product = await startProduct('http://127.0.0.1:9'); // this benchmark sends no calls to GitHub
  stops.push(product.stop);
  const pool = new pg.Pool({ connectionString: product.databaseUrl });
  stops.push(() => pool.end());
  const at = { ...product, pool, ...(await configureCode(product)) };
  await warmUp(at);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(at));
  console.log(`${ROUNDS} rounds, load ${loadavg()[0].toFixed(1)}; ms, medians of the rounds\n\n${report(rounds)}`);
  console.log(`\n${await reportSearch()}`);
} finally {
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
}

async function configureCode(product) {
  const { workspaceId } = product.action;
  const integration = { integrationName: 'hash-encode', alias: 'hash' };
  await create(product, `/api/v1/workspaces/${workspaceId}/integrations`, integration);
  await create(product, '/api/v1/end-users', { workspaceId, externalId: 'ann' });
  const rules = { domainDenylist: ['pause.example'] };
  await create(product, '/api/v1/approval-policies', { name: 'Pause', workspaceId, rules });
  return { workspaceId, agent: await openAgent(product, { workspaceId, endUserId: 'ann', mode: 'CODE' }) };
}

async function warmUp(at) {
  for (let count = 0; count < 100; count++) await Promise.all([action(at), program(at, 'return 1')]);
  await program(at, AT_ONCE);
}

async function measureRound(at) {
  const direct = await timesOf(SINGLE_CALLS, () => action(at));
  const start = await timesOf(STARTS, () => program(at, 'return 1'));
  const mcp = await timesOf(STARTS, () => at.agent.call('svc_execute', { code: 'return 1' }));
  const [inTurn] = await timesOf(1, () => program(at, IN_TURN));
  const [atOnce] = await timesOf(1, () => program(at, AT_ONCE));
  const pauses = {};
  for (const [name, code] of Object.entries(PAUSING)) pauses[name] = await measurePauses(at, code);
  return { direct, start, mcp, inTurn, atOnce, pauses };
}

/** Measures the time of a run until its pause, and from its resumption to its end. */
async function measurePauses(at, code) {
  const [pause, resume, bytes] = [[], [], []];
  for (let count = 0; count < PAUSES; count++) {
    const started = performance.now();
    const { structuredContent } = await program(at, code);
    pause.push(performance.now() - started);
    const { id } = structuredContent.approval;
    bytes.push(await storedBytes(at, id));
    await post(at, `/api/v1/approvals/${id}/approve`, {});
    const [took] = await timesOf(1, () => execute(at, { approvalId: id }));
    resume.push(took);
  }
  return { pause, resume, bytes: median(bytes) };
}

async function storedBytes({ pool }, approvalId) {
  const text = `SELECT octet_length(r.sealed) AS bytes
    FROM execution.code_run_approvals a JOIN execution.code_runs r ON r.id = a.run_id WHERE a.id = $1`;
  return (await pool.query(text, [approvalId])).rows[0].bytes;
}

function action(at) {
  const names = { integrationName: 'hash-encode', actionName: 'hash', integrationAlias: 'hash' };
  return post(at, '/api/v1/actions/execute', { ...names, workspaceId: at.workspaceId, input: HASH });
}

function program(at, code) {
  return execute(at, { code });
}

async function execute(at, body) {
  const result = await post(at, `/api/v1/mcp/servers/${at.agent.serverId}/execute-code`, body);
  if (result.isError) throw new Error(result.content[0].text);
  return result;
}

async function post({ baseUrl, key }, path, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${path} responded with ${response.status}: ${await response.text()}`);
  return response.json();
}

async function timesOf(count, work) {
  const times = [];
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
}

/** The last two columns compare a row with one action over REST. */
function report(rounds) {
  const direct = middle(rounds, (round) => median(round.direct));
  const row = (name, times) => {
    const [p50, p95] = [50, 95].map((p) => middle(rounds, (round) => percentile(times(round), p)));
    return [name, ...[p50, p95, p50 / direct, p50 - direct].map((value) => value.toFixed(2)), ''];
  };
  const rows = [
    row('one action over REST', (round) => round.direct),
    row('return 1 over REST', (round) => round.start),
    row('return 1 by svc_execute', (round) => round.mcp),
    row(`one of ${PROGRAM_CALLS} calls, one after another`, ({ inTurn }) => [inTurn / PROGRAM_CALLS]),
    row(`one of ${PROGRAM_CALLS} calls, 50 under way`, ({ atOnce }) => [atOnce / PROGRAM_CALLS]),
  ];
  for (const name of Object.keys(PAUSING)) {
    const bytes = middle(rounds, ({ pauses }) => pauses[name].bytes);
    rows.push([...row(`pause, ${name}`, ({ pauses }) => pauses[name].pause).slice(0, -1), String(bytes)]);
    rows.push(row(`resume, ${name}`, ({ pauses }) => pauses[name].resume));
  }
  return table([['', 'p50', 'p95', '÷ action', '− action', 'bytes stored'], ...rows]);
}

function middle(rounds, valueOf) {
  return median(rounds.map(valueOf));
}

/** Measures searches in an index of ACTIONS actions. There are fewer pieces, so their actions are repeated under other names. */
async function reportSearch() {
  const actions = Object.values(pieces).flatMap((piece) =>
    Object.entries(piece.actions).map(([actionName, one]) => ({ ...toApiTool(piece, one), actionName })),
  );
  const tools = Array.from({ length: ACTIONS }, (_, at) => {
    const tool = actions[at % actions.length];
    return { ...tool, alias: `${tool.alias}${Math.floor(at / actions.length)}` };
  });
  const started = performance.now();
  const index = await searchIndex(tools);
  const built = performance.now() - started;
  const rows = QUERIES.map((query) => {
    const times = Array.from({ length: 30 }, () => {
      const since = performance.now();
      index.search(query);
      return performance.now() - since;
    });
    return [query, ...[50, 95].map((p) => percentile(times, p).toFixed(2))];
  });
  return `search of ${ACTIONS} actions, index built in ${built.toFixed(0)} ms\n${table([['', 'p50', 'p95'], ...rows])}`;
}

function toApiTool({ name, displayName }, { displayName: action, description, category, effect, props }) {
  const integration = { alias: name, integrationName: name, integrationDisplayName: displayName };
  const described = { displayName: action, description, category, effect: effect ?? 'read' };
  return { ...integration, ...described, inputSchema: inputSchema(props), defaultedKeys: [] };
}
