// Shapes: local
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { api, at, INTERFACES, openCodeAgent, post, server, valueOf } from './support/code-agent.js';
import { newServer } from './support/mcp-servers.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { afterAll, afterEach, beforeAll, describe, it } = testsOf(import.meta);

export const OPERATIONS: Operations = {
  ExecuteMcpCode: {
    call: async ({ api: by, workspaceId }) => {
      const { id } = (await newServer(by, workspaceId, { mode: 'CODE' })).server;
      return { path: { id }, body: { code: 'return 1' } };
    },
    ids: { 'path.id': 'mcpServerId' },
  },
};

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

beforeAll(openCodeAgent);
afterEach(() => at.github.reset());
afterAll(() => at?.github.stop());

const textOf = (result: any): string => result.content.map(({ text }: { text: string }) => text).join('\n');

describe.each(INTERFACES)('svc_execute over %s', (_, execute) => {
  it('returns the value of the program', async () => {
    expect(await execute({ code: 'return { sum: 1 + 2 }' })).toEqual({
      content: [{ type: 'text', text: '{"sum":3}' }],
      isError: false,
    });
    expect(valueOf(await execute({ code: 'const n: number = 4; return [n] as number[]' }))).toEqual([4]);
    expect(await execute({ code: '1' })).toMatchObject({ content: [{ text: expect.any(String) }], isError: false });
  });

  it('returns the console output after the value', async () => {
    const result = await execute({ code: "console.log('one', { two: 2 }); console.warn('three'); return 4" });
    expect(valueOf(result)).toBe(4);
    expect(result.content[1].text).toMatch(/^Console:\n\[log\] one .*two.*\n\[warn\] three$/);
  });

  it('calls actions concurrently, as mcp_code', async () => {
    at.github.on('*', { status: 201, body: { number: 7 } });
    const code = `const [{ result }, { number }] = await Promise.all([
      svc.hash.hash({ text: 'hello', algorithm: 'sha256' }),
      svc.gh.create_issue({ repo: 'acme/app', title: 'Of code' }),
    ]);
    return { result, number };`;
    expect(valueOf(await execute({ code }))).toEqual({ result: HELLO, number: 7 });
    expect(at.github.requests).toHaveLength(1);
    const { executions } = (await api.get(`/api/v1/executions?workspaceId=${at.own.workspaceId}&limit=1`)).body;
    expect(executions).toMatchObject([{ source: 'mcp_code', status: 'success' }]);
  });

  it.each([
    ['an unknown key', "{ text: 'a', algorithm: 'md5', colour: 1 }", /colour/],
    ['a missing key', "{ algorithm: 'md5' }", /text/],
    ['a value that is not allowed', "{ text: 'a', algorithm: 'sha3' }", /md5.*sha1.*sha256.*sha512/],
  ])('names %s of an input', async (_what, input, named) => {
    const result = await execute({ code: `return await svc.hash.hash(${input})` });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'VALIDATION_ERROR' } });
    expect(textOf(result)).toMatch(named);
    const caught = await execute({ code: `try { await svc.hash.hash(${input}) } catch (e) { return e.message }` });
    expect(valueOf(caught)).toMatch(named);
  });

  it('names an unknown action', async () => {
    const result = await execute({ code: 'return await svc.gh.nothing({})' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('gh.nothing');
  });

  it('reports the line of a syntax error and of a runtime error', async () => {
    expect(await execute({ code: 'const a = 1;\nreturn (' })).toMatchObject({
      ...{ isError: true, structuredContent: { code: 'SYNTAX_ERROR', details: { calls: [] } } },
    });
    const failed = await execute({ code: 'const a = 1;\nreturn a.b.c' });
    expect(failed).toMatchObject({ isError: true, structuredContent: { code: 'RUNTIME_ERROR', details: { line: 2 } } });
  });

  it('lists the calls that were made before a failure', async () => {
    at.github.on('*', { status: 201, body: { number: 7 } });
    const code = `await svc.gh.create_issue({ repo: 'acme/app', title: 'Once' }); throw new Error('after')`;
    const result = await execute({ code });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        details: { calls: [{ call: 'gh.create_issue', status: 'success', executionId: expect.any(String) }] },
      },
    });
    expect(textOf(result)).toMatch(/Do not repeat those that succeeded:\ngh\.create_issue: success/);
  });
});

it('a server of one end user runs programs on their behalf', async () => {
  const { workspaceId } = at.own;
  const { id } = (await newServer(api, workspaceId, { mode: 'CODE', endUserId: server.endUserId })).server;
  const code = "return (await svc.hash.hash({ text: 'hello', algorithm: 'sha256' })).result";
  expect(valueOf((await post({ code }, id)).body)).toBe(HELLO);
  const { executions } = (await api.get(`/api/v1/executions?workspaceId=${workspaceId}&limit=1`)).body;
  expect(executions).toMatchObject([{ source: 'mcp_code', endUserId: server.endUserId }]);
});

it('docs/code-mode.md contains a first program that runs as printed', async () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/code-mode.md'), 'utf8');
  const block = /<!-- first program: a test runs this block -->\s+```sh\n(.*?)```/s.exec(page)?.[1] ?? '';
  const { baseUrl: BASE_URL, key: DRAWBRIDGE_KEY } = at.product;
  const env = { ...process.env, BASE_URL, DRAWBRIDGE_KEY };
  const { stdout } = await promisify(execFile)('sh', ['-ec', block], { env });
  const hashes = ['0cc175b9c0f1b6a831c399e269772661', '92eb5ffee6ae2fec3ad71c777531578f'];
  expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual({
    content: [{ type: 'text', text: JSON.stringify(hashes) }],
    isError: false,
  });
});
