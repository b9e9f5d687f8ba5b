// Shapes: none; in full: local
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChild } from '@drawbridge/testkit';
import { build } from 'esbuild';
import { drawbridge } from './support/drawbridge.js';
import { installedSdk, SDK as PACKAGE } from './support/packed-sdk.js';

const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const blockOf = (name: string): string =>
  new RegExp(`<!-- ${name}: a test runs this block -->\\s+\`\`\`js\\n(.*?)\`\`\``, 's').exec(README)?.[1] ?? '';
const FIRST_ACTION = blockOf('first action');
const SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

const run = promisify(execFile);
const { onNode, runtime } = await import(join(import.meta.dirname, '../scripts/prepare-node.mjs'));
let folder: string;

beforeAll(async () => {
  folder = await installedSdk();
  writeFileSync(join(folder, 'first-action.mjs'), FIRST_ACTION);
  writeFileSync(join(folder, 'required.cjs'), REQUIRED);
  writeFileSync(join(folder, 'program.ts'), FIRST_ACTION + TYPED);
  for (const name of FRAMEWORKS) symlinkSync(join(MODULES, name), linked(name));
  for (const entry of AGENT_ENTRIES) writeFileSync(join(folder, `${entry}.mjs`), agentProgram(entry));
  writeFileSync(join(folder, 'agents.cjs'), AGENT_ENTRIES.map((entry) => requiresTools(entry)).join(''));
  writeFileSync(join(folder, 'agents.ts'), AGENT_TYPES);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REQUIRED = `
const { Drawbridge, NotFoundError } = require('@drawbridge/sdk');
const { validateInput } = require('@drawbridge/sdk/validate');
const problems = validateInput({ integration: 'github', action: 'create_issue' }, { repo: 'a/b' });
new Drawbridge().workspaces.get('00000000-0000-4000-8000-000000000000').catch((error) => {
  console.log(error instanceof NotFoundError, Object.keys(problems).join());
});
`;
/** The frameworks of e2e/, as if the program had installed them beside the SDK. */
const MODULES = join(import.meta.dirname, 'node_modules');
const FRAMEWORKS = ['ai', 'langchain', '@langchain/core', '@openai/agents', 'zod'];
const AGENT_ENTRIES = ['ai-sdk', 'langchain', 'openai-agents'] as const;

function linked(name: string): string {
  const path = join(folder, 'node_modules', name);
  mkdirSync(join(path, '..'), { recursive: true });
  return path;
}

/** Each model calls the tool and then repeats the result that it gets. */
const MODELS = {
  'ai-sdk': `
import { MockLanguageModelV4 } from 'ai/test';
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const turn = (part, unified) => ({ content: [part], usage, warnings: [], finishReason: { unified } });
const call = { type: 'tool-call', toolCallId: '1', toolName: 'hash_encode_hash', input: INPUT };
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) =>
    prompt.at(-1).role === 'tool'
      ? turn({ type: 'text', text: JSON.stringify(prompt.at(-1)) }, 'stop')
      : turn(call, 'tool-calls'),
});`,
  langchain: `
import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
const model = fakeModel()
  .respondWithTools([{ name: 'hash_encode_hash', args: JSON.parse(INPUT) }])
  .respond((messages) => new AIMessage(messages.at(-1).content));`,
  'openai-agents': `
import { setTracingDisabled, Usage } from '@openai/agents';
setTracingDisabled(true);
const call = { type: 'function_call', callId: '1', name: 'hash_encode_hash', arguments: INPUT, status: 'completed' };
const said = (text) => ({ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] });
const model = {
  async getResponse({ input }) {
    const isCalled = input.at(-1).type === 'function_call_result';
    return { usage: new Usage(), output: [isCalled ? said(JSON.stringify(input.at(-1).output)) : call] };
  },
};`,
};
const INPUT = `const INPUT = '{"text":"hello","algorithm":"sha256"}';`;

const agentProgram = (entry: (typeof AGENT_ENTRIES)[number]): string =>
  [INPUT, MODELS[entry], FIRST_ACTION.replace(/^console\.log.*$/m, ''), blockOf(entry), 'console.log(text);'].join(
    '\n',
  );

const requiresTools = (entry: string): string => `console.log(typeof require('@drawbridge/sdk/${entry}').tools);\n`;

const AGENT_TYPES = `
import { Drawbridge } from '@drawbridge/sdk';
import { tools as ofAiSdk } from '@drawbridge/sdk/ai-sdk';
import { tools as ofLangChain } from '@drawbridge/sdk/langchain';
import { tools as ofOpenAiAgents } from '@drawbridge/sdk/openai-agents';
import { Agent } from '@openai/agents';
import { generateText } from 'ai';
import { createAgent } from 'langchain';
const client = new Drawbridge();
const options = { actions: ['github.create_issue', 'slack.*'] } as const;
await generateText({ model: 'm', prompt: '', tools: await ofAiSdk(client, options) });
createAgent({ model: 'm', tools: await ofLangChain(client, options) });
new Agent({ name: 'A', tools: await ofOpenAiAgents(client, options) });
// @ts-expect-error GitHub has no such action.
await ofAiSdk(client, { actions: ['github.create_isue'] });
`;
const TYPED = `
// @ts-expect-error The algorithm is not one of the set.
await client.actions.explain({ integration: 'hash-encode', action: 'hash', input: { text: '', algorithm: 'rot13' } });
`;

/** A worker has no environment variables. Its bindings contain the URL and the key. */
const WORKER = `
  import { Drawbridge } from '@drawbridge/sdk';
  export default {
    async fetch(request, env) {
      const client = new Drawbridge({ baseUrl: env.DRAWBRIDGE_URL, apiKey: env.DRAWBRIDGE_KEY });
      const { workspace } = await client.workspaces.create({ name: 'Edge', slug: 'edge-' + Date.now() });
      await client.workspaceIntegrations.create(workspace.id, { integrationName: 'hash-encode' });
      const input = { text: 'hello', algorithm: 'sha256' };
      const call = { workspaceId: workspace.id, integration: 'hash-encode', action: 'hash', input };
      return Response.json(await client.actions.execute(call));
    },
  };
`;
const WORKER_CONFIG = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["local"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
  bindings = [(name = "DRAWBRIDGE_URL", text = "$URL"), (name = "DRAWBRIDGE_KEY", text = "$KEY")]);
`;

/** Skips a test of a program that is not downloaded. `pnpm node-versions` downloads it. */
const itWith = (program: string | undefined) => (program === undefined ? it.skip : it);

describe('the packed SDK', () => {
  /** Omits versions that are not downloaded. `pnpm node-versions` downloads them. */
  const versions = [['the installed Node.js', {}], ...['22', '24'].map((major) => [`Node.js ${major}`, onNode(major)])];

  it.each(versions.filter(([, env]) => env) as [string, Record<string, string>][])(
    'executes the first action of the README on %s, and can be required',
    async (_, own) => {
      const { baseUrl: DRAWBRIDGE_URL, key: DRAWBRIDGE_KEY } = await drawbridge();
      const env = { ...process.env, NODE_OPTIONS: '', DRAWBRIDGE_URL, DRAWBRIDGE_KEY, ...own };
      expect((await run('node', ['first-action.mjs'], { cwd: folder, env })).stdout).toContain(SHA256);
      expect((await run('node', ['required.cjs'], { cwd: folder, env })).stdout).toBe('true input.title\n');
    },
  );

  const runtimes: [string, string | undefined, string[]][] = [
    ['Bun', runtime('bun'), ['run']],
    ['Deno', runtime('deno'), ['run', '--allow-env', '--allow-net=127.0.0.1', '--node-modules-dir=manual']],
  ];
  for (const [name, program, options] of runtimes) {
    itWith(program)(`executes the first action of the README on ${name}`, async () => {
      const { baseUrl: DRAWBRIDGE_URL, key: DRAWBRIDGE_KEY } = await drawbridge();
      const env = { PATH: process.env['PATH'], HOME: folder, DRAWBRIDGE_URL, DRAWBRIDGE_KEY };
      expect((await run(program!, [...options, 'first-action.mjs'], { cwd: folder, env })).stdout).toContain(SHA256);
    });
  }

  const workerd = runtime('workerd');
  itWith(workerd)('executes an action on workerd', async () => {
    const { baseUrl, key } = await drawbridge();
    writeFileSync(join(folder, 'worker.mjs'), WORKER);
    const [entryPoints, outfile] = [[join(folder, 'worker.mjs')], join(folder, 'worker.js')];
    await build({ entryPoints, outfile, bundle: true, format: 'esm' });
    writeFileSync(join(folder, 'worker.capnp'), WORKER_CONFIG.replace('$URL', baseUrl).replace('$KEY', key));
    const command = [workerd!, 'serve', '--control-fd=1', join(folder, 'worker.capnp')];
    const child = await startChild({ name: 'workerd', command, env: {}, readyWhen: /"port":(\d+)/ }, folder);
    try {
      expect(await (await fetch(`http://127.0.0.1:${child.ready[1]}`)).text()).toContain(SHA256);
    } finally {
      await child.end('SIGKILL');
    }
  });

  it.each(AGENT_ENTRIES)('runs the agent of the README with %s', async (entry) => {
    const { baseUrl: DRAWBRIDGE_URL, key: DRAWBRIDGE_KEY } = await drawbridge();
    const env = { ...process.env, NODE_OPTIONS: '', DRAWBRIDGE_URL, DRAWBRIDGE_KEY };
    expect((await run('node', [`${entry}.mjs`], { cwd: folder, env })).stdout).toContain(SHA256);
  });

  it.each(versions.filter(([, env]) => env) as [string, Record<string, string>][])(
    'has tools for agents that can be required on %s',
    async (_, own) => {
      const env = { ...process.env, NODE_OPTIONS: '', ...own };
      const { stdout } = await run('node', ['agents.cjs'], { cwd: folder, env });
      expect(stdout).toBe('function\n'.repeat(AGENT_ENTRIES.length));
    },
  );

  it.each([
    ['ES modules', ['--module', 'nodenext']],
    ['bundlers', ['--module', 'preserve', '--moduleResolution', 'bundler']],
  ])('has types for %s', async (_, flags) => {
    const tsc = join(PACKAGE, 'node_modules/.bin/tsc');
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    const check = (...args: string[]) =>
      run(tsc, [...options, ...flags, ...args], { cwd: folder }).catch(({ stdout }) => {
        throw new Error(stdout);
      });
    await check('program.ts');
    // Declarations of the frameworks have errors of their own.
    await check('--skipLibCheck', 'agents.ts');
  });

  it('contains its code and its README, and nothing of its tests', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: PACKAGE });
    const paths: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
    const tops = [...new Set(paths.map((path) => path.split('/')[0]))].sort();
    expect(tops).toEqual(['README.md', 'dist', 'package.json']);
    expect(paths.filter((path) => /test/.test(path))).toEqual([]);
  });
});
