// `node bench/code-mode-tokens.mjs`: counts the tokens of the same three tasks by tools and by Code Mode. See docs/code-mode.md. It needs a build.
import { fakeProvider } from '@drawbridge/testkit';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { openAgent } from './agent.mjs';
import { table } from './figures.mjs';
import { toComment, toIssue } from './issue.mjs';
import { create, startProduct } from './product.mjs';

/** Integrations that are configured in addition to GitHub, with the type of their connections. */
const INTEGRATIONS = [
  ['slack', 'slack', 'SECRET_TEXT'],
  ['linear', 'linear', 'SECRET_TEXT'],
  ['notion', 'notion', 'SECRET_TEXT'],
  ['stripe', 'stripe', 'SECRET_TEXT'],
  ['datetime', 'time'],
  ['hash-encode', 'hash'],
  ['data-transformer', 'data'],
  ['kv-store', 'kv'],
  ['agent-memory', 'memory'],
];
const BODY = 'Since this morning the gate stays closed when a cart waits in front of it. The log shows no error. ';
const REPLY = 'Is this still a problem in version 2.4?';
const NUMBERS = Array.from({ length: 10 }, (_, at) => at + 11);
const OPEN = { q: 'repo:acme/app is:issue is:open', per_page: 50 };

/** The tasks, each with the calls of an agent with tools, and the three calls of an agent with Code Mode. */
const TASKS = [
  {
    name: 'create one issue',
    calls: [['gh__create_issue', { repo: 'acme/app', title: 'The gate stays closed', body: BODY }]],
    query: 'create issue',
    action: 'gh.create_issue',
    code: `const { number } = await svc.gh.create_issue({ repo: 'acme/app', title: 'The gate stays closed', body: '${BODY}' });\nreturn number;`,
  },
  {
    name: 'list 50 issues, return the newest 3 titles',
    calls: [['gh__search_issues', OPEN]],
    query: 'list open issues',
    action: 'gh.search_issues',
    code: `const { items } = await svc.gh.search_issues({ q: '${OPEN.q}', per_page: 50 });
items.sort((a, b) => b.created_at.localeCompare(a.created_at));
return items.slice(0, 3).map(({ title }) => title);`,
  },
  {
    name: 'comment on each of 10 issues',
    calls: NUMBERS.map((number) => ['gh__comment', { repo: 'acme/app', issue_number: number, body: REPLY }]),
    query: 'comment on issue',
    action: 'gh.comment',
    code: `const numbers = ${JSON.stringify(NUMBERS)};
await Promise.all(numbers.map((issue_number) => svc.gh.comment({ repo: 'acme/app', issue_number, body: '${REPLY}' })));
return numbers.length;`,
  },
];

const stops = [];
try {
  const provider = await fakeProvider();
  stops.push(() => provider.stop());
  answerAsGithub(provider);
  const product = await startProduct(provider.url);
  stops.push(product.stop);
  const { workspaceId } = product.action;
  await configureAll(product, workspaceId);
  const agents = await Promise.all(
    ['TOOLS', 'CODE'].map((mode) => openAgent(product, { workspaceId, endUserId: 'ann', mode })),
  );
  console.log(await compare(...agents));
} finally {
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
}

function answerAsGithub(provider) {
  let made = 0;
  const hours = (count) => new Date(Date.UTC(2026, 10, 1) + count * 3_600_000);
  const items = Array.from({ length: 50 }, (_, at) => {
    const issue = { title: `The gate stays closed at entrance ${at}`, body: BODY };
    return toIssue(at + 1, issue, hours((at * 37) % 50));
  });
  provider.on('GET /search/issues', { body: { total_count: 50, incomplete_results: false, items } });
  provider.on('POST /repos/acme/app/issues', ({ body }) => ({ status: 201, body: toIssue(++made, body) }));
  provider.on('*', ({ body }) => ({ status: 201, body: toComment(++made, body) }));
}

async function configureAll(product, workspaceId) {
  await create(product, '/api/v1/end-users', { workspaceId, externalId: 'ann' });
  for (const [integrationName, alias, type] of INTEGRATIONS) {
    const names = { integrationName, externalId: alias, displayName: alias, scope: 'WORKSPACE', workspaceId };
    const secret = { type, secretText: 'secret-0123456789', ...names };
    const connectionId = type && (await create(product, '/api/v1/connections', secret)).connection.id;
    await create(product, `/api/v1/workspaces/${workspaceId}/integrations`, { integrationName, alias, connectionId });
  }
}

async function compare(tools, code) {
  const [listOfTools, listOfCode] = [await tools.list(), await code.list()];
  const lists = [tokensOfList(listOfTools), tokensOfList(listOfCode)];
  const rows = [];
  for (const task of TASKS) {
    const byTools = await tokensOf(tools, task.calls);
    const byCode = await tokensOf(code, callsOfCode(task));
    const totals = [lists[0] + byTools.calls + byTools.results, lists[1] + byCode.calls + byCode.results];
    rows.push([task.name, 'TOOLS', ...[lists[0], byTools.calls, byTools.results, totals[0]].map(String), '']);
    const ratio = (totals[0] / totals[1]).toFixed(1);
    rows.push(['', 'CODE', ...[lists[1], byCode.calls, byCode.results, totals[1]].map(String), ratio]);
  }
  const heads = ['task', 'mode', 'list', 'calls', 'results', 'all', 'TOOLS ÷ CODE'];
  return `${listOfTools.length} and ${listOfCode.length} tools; tokens of o200k_base\n\n${table([heads, ...rows])}`;
}

function callsOfCode({ query, action, code }) {
  return [
    ['svc_search', { query }],
    ['svc_read_api', { names: [action] }],
    ['svc_execute', { code }],
  ];
}

/** Counts the tokens of a list that a model reads: clients show it the name, the description and the schema of each tool. */
function tokensOfList(tools) {
  return countTokens(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  );
}

/** Counts the tokens that a model writes for each call, and reads from each result. */
async function tokensOf(agent, calls) {
  const sum = { calls: 0, results: 0 };
  for (const [name, args] of calls) {
    const { content } = await agent.call(name, args);
    sum.calls += countTokens(JSON.stringify({ name, arguments: args }));
    sum.results += content.reduce((count, { text }) => count + countTokens(text), 0);
  }
  return sum;
}
