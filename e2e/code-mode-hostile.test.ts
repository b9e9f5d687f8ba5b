// Shapes: none; in full: local
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentServer, type AgentServer, call } from './support/agents.js';
import { type GithubAgent, githubAgent } from './support/github-agent.js';

const FIXTURES = join(import.meta.dirname, '../packages/sandbox/src/fixtures');
const ESCAPES: { name: string; first?: string; code: string }[] = read('escapes.json');
const BOMBS: { name: string; code: string }[] = read('bombs.json');

let at: GithubAgent;
let server: AgentServer;

beforeAll(async () => {
  at = await githubAgent();
  server = await agentServer(at.api, at.own.workspaceId, { mode: 'CODE' });
});
afterAll(() => at?.github.stop());

function read(file: string) {
  return JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
}

const run = (code: string): Promise<any> => call(server, 'svc_execute', { code });
const PROLOGUE = 'const input = { list: [1, 2], text: "text", number: 1 };\n';

it.each(ESCAPES)('$name reaches nothing through svc_execute', async ({ first, code }) => {
  if (first) await run(PROLOGUE + first);
  const answer = JSON.stringify(await run(PROLOGUE + code));
  expect(answer).not.toMatch(/flag-|ghp_|DATABASE_URL|node:internal/);
});

it.each(BOMBS)('$name ends, and the server answers the next run', async ({ code }) => {
  const { isError } = await run(PROLOGUE + code);
  expect(isError).toBe(true);
  const after = await run('return (await svc.hash.hash({ text: "a", algorithm: "md5" })).result');
  expect(after).toMatchObject({ content: [{ text: '"0cc175b9c0f1b6a831c399e269772661"' }] });
});
