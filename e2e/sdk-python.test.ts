// Shapes: none; in full: local
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';
import { type FakeProvider } from '@drawbridge/testkit';
import { type Drawbridge as Product, drawbridge } from './support/drawbridge.js';
import { EVERY_OPERATION } from './support/every-operation.js';
import { githubWorkspace } from './support/github.js';
import { type Call, operationsOf } from './support/operations.js';
import { type OwnedResources, ownedResources } from './support/owned-resources.js';
import { newPerson } from './support/people.js';
import { provider } from './support/provider.js';
import { BIN, blocksOf, describePython, envOf, PACKAGE } from './support/python-sdk.js';

const { snake } = await import(join(PACKAGE, 'generate/names.mjs'));

const TABLE = readFileSync(join(PACKAGE, 'OPERATIONS.md'), 'utf8');
const METHODS = [...TABLE.matchAll(/^\| (\w+) \| `\w+ \S+` \| `(\w+)\.(\w+)\((.*)\)` \|$/gm)].map(
  ([, operation, resource, method, names]) => ({
    operation: operation!,
    resource,
    method,
    names: names!.split(', ').filter((name) => name !== '' && name !== '…'),
    hasFields: names!.includes('…'),
  }),
);
const [FIRST_ACTION = ''] = blocksOf('first action', 'python');
const [GENERATE = ''] = blocksOf('catalog', 'sh');
/** The program of the README. Its blocks are joined, because later blocks use the client and the workspace of the first block. */
const PROGRAM = [FIRST_ACTION, ...blocksOf('catalog', 'python')].join('\n');
const SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

const run = promisify(execFile);
/** The timeout of one SDK call. A call without a response would otherwise delay the whole test run. */
const CALL_MS = 60_000;

interface Outcome {
  value?: unknown;
  error?: string;
  code?: string;
}

let product: Product;
let github: FakeProvider;
let own: OwnedResources;
let caller: ChildProcess;
let lines: Interface;

const env = (): NodeJS.ProcessEnv => envOf(product);

describePython('the Python SDK', () => {
  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
    own = await ownedResources(product.api, await newPerson(product));
    caller = spawn(join(BIN!, 'python'), [join(PACKAGE, 'tests/caller.py')], {
      env: env(),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    lines = createInterface({ input: caller.stdout! });
  });
  afterAll(async () => {
    caller?.stdin?.end();
    await github?.stop();
  });

  async function callMethod(
    { operation, names, hasFields, ...row }: (typeof METHODS)[number],
    client: string,
  ): Promise<Outcome> {
    const call: Call = await EVERY_OPERATION[operation]!.call(own);
    const single: Record<string, string> = { id: own.connectionId, name: 'github' };
    const path = Object.fromEntries(Object.entries(call.path ?? {}).map(([name, value]) => [snake(name), value]));
    const fields = Object.entries(hasFields ? { ...call.query, ...(call.body as object) } : {});
    const sent = { ...row, client, ids: names.map((name) => path[name] ?? single[name]) };
    const answer = once(lines, 'line', { signal: AbortSignal.timeout(CALL_MS) });
    const named = Object.fromEntries(fields.map(([key, value]) => [snake(key), value]));
    caller.stdin!.write(`${JSON.stringify({ ...sent, fields: named })}\n`);
    const [line] = await answer;
    return JSON.parse(line);
  }

  it('has a method for every operation of the document', async () => {
    const operations = await operationsOf(product.api);
    expect([...new Set(METHODS.map(({ operation }) => operation))].sort()).toEqual(
      operations.map(({ id }) => id).sort(),
    );
  });

  describe.each(['Drawbridge', 'AsyncDrawbridge'])('%s', (client) => {
    it.each(METHODS)('calls $operation with $resource.$method', async (row) => {
      const { refusal } = EVERY_OPERATION[row.operation]!;
      const outcome = await callMethod(row, client);
      if (refusal) expect(outcome).toMatchObject({ code: refusal.split(' ')[1] });
      else expect(outcome).toHaveProperty('value');
    });
  });

  it('waits for an approval, runs the call once, and runs nothing that is rejected', async () => {
    github.on('POST /repos/acme/app/issues', { status: 201, body: { number: 8 } });
    const workspace = await githubWorkspace(product.api);
    await product.api.post('/api/v1/approval-policies', { name: 'Ask first', workspaceId: workspace.workspaceId });
    const before = github.requests.length;
    const { stdout } = await run(join(BIN!, 'python'), ['-c', APPROVALS, workspace.workspaceId], { env: env() });
    expect(stdout).toBe("{'number': 8}\nis rejected: Asked for\n{'number': 8}\n");
    expect(github.requests.length - before).toBe(2);
  });

  /** The timeout of one check. A check reads the whole package and the frameworks that it supports, which takes minutes on a busy machine. */
  const CHECK_MS = 900_000;
  it.each([
    ['passes its own tests', 'python', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']],
    ['passes mypy', 'mypy', ['src', 'tests/typed.py']],
    ['passes pyright', 'pyright', ['--pythonpath', 'python']],
    ['passes its linter', 'ruff', ['check', '--no-cache', 'src', 'tests']],
    ['is formatted', 'ruff', ['format', '--no-cache', '--check', 'src', 'tests']],
    ['has the generated files of the document', process.execPath, ['generate/generate.mjs', '--check']],
  ] as [string, string, string[]][])(
    '%s',
    async (_, command, args) => {
      const inFolder = args.map((arg) => (arg === 'python' ? join(BIN!, arg) : arg));
      const own = { HOME: homedir(), MYPY_CACHE_DIR: resolve(BIN!, '../mypy') };
      const options = { cwd: PACKAGE, env: { ...env(), ...own } };
      const ended = await run(resolve(BIN!, command), inFolder, options).catch((error) => error);
      expect(ended.code ? `${ended.stdout}${ended.stderr}` : '').toBe('');
    },
    CHECK_MS,
  );

  describe('as a wheel', () => {
    let folder: string;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sdk-python-'));
      const build = ['-m', 'build', '--no-isolation', '--outdir', folder, PACKAGE];
      await run(join(BIN!, 'python'), build, { env: env() });
      writeFileSync(join(folder, 'first_action.py'), FIRST_ACTION);
      writeFileSync(join(folder, 'program.py'), PROGRAM);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each(pythons())('executes the first action and the catalog of the README on $name', async ({ python }) => {
      const venv = join(folder, 'venv');
      await run(python, ['-m', 'venv', '--clear', '--without-pip', venv]);
      const wheel = readdirSync(folder).find((file) => file.endsWith('.whl'))!;
      const into = ['--python', join(venv, 'bin/python'), 'install', '--quiet', join(folder, wheel)];
      await run(join(BIN!, 'pip'), into);
      const { PYTHONPATH: _, ...rest } = env();
      const { stdout } = await run(join(venv, 'bin/python'), ['first_action.py'], { cwd: folder, env: rest });
      expect(stdout).toContain(SHA256);
      const own = { ...rest, PATH: `${join(venv, 'bin')}:${rest['PATH']}` };
      await run('sh', ['-ec', GENERATE], { cwd: folder, env: own });
      expect((await run('python', ['program.py'], { cwd: folder, env: own })).stdout).toContain(SHA256);
    });

    it.each(['langchain', 'openai-agents'])('runs the agent of the README with %s', async (extra) => {
      const python = join(BIN!, 'python');
      const wheel = join(
        folder,
        readdirSync(folder).find((file) => file.endsWith('.whl'))!,
      );
      const site = join(folder, extra);
      await run(python, ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--target', site, wheel]);
      // Without a registry, pip can only use installed packages. It fails if an installed framework is outside of the version range of the extra.
      await run(python, ['-m', 'pip', 'install', '--quiet', '--no-index', '--dry-run', `${wheel}[${extra}]`]);
      const program = [FIRST_ACTION.replace(/^print.*$/m, ''), AGENT_MODELS[extra], blocksOf(extra, 'python')[0]].join(
        '\n',
      );
      const { stdout } = await run(python, ['-c', program], { cwd: folder, env: { ...env(), PYTHONPATH: site } });
      expect(stdout).toContain(SHA256);
    });

    it('imports no framework unless its module is used', async () => {
      const loaded = 'import sys, drawbridge; print([m for m in ("agents", "langchain_core") if m in sys.modules])';
      expect((await run(join(BIN!, 'python'), ['-c', loaded], { env: env() })).stdout).toBe('[]\n');
    });
  });
});

/** Each model calls the tool and then repeats the result that it gets. */
const AGENT_MODELS: Record<string, string> = {
  langchain: `
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult

class Fake(BaseChatModel):
    _llm_type = "fake"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, *_, **__):
        call = {"name": "hash_encode_hash", "args": {"text": "hello", "algorithm": "sha256"}, "id": "1"}
        is_called = messages[-1].type == "tool"
        message = AIMessage(messages[-1].content) if is_called else AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=message)])

model = Fake()
`,
  'openai-agents': `
from agents import Model, ModelResponse, Usage, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)

class Fake(Model):
    async def get_response(self, system_instructions, input, *_, **__):
        if input[-1].get("type") == "function_call_output":
            text = ResponseOutputText(type="output_text", text=str(input[-1]["output"]), annotations=[])
            made = ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])
        else:
            arguments = '{"text": "hello", "algorithm": "sha256"}'
            made = ResponseFunctionToolCall(type="function_call", call_id="1", name="hash_encode_hash", arguments=arguments)
        return ModelResponse(output=[made], usage=Usage(), response_id=None)

    def stream_response(self, *_, **__):
        raise NotImplementedError

model = Fake()
`,
};

const APPROVALS = `
import sys
from drawbridge import ApprovalDeclinedError, AsyncDrawbridge, Drawbridge
import asyncio

client = Drawbridge(workspace_id=sys.argv[1])
call = ("github", "create_issue", {"repo": "acme/app", "title": "T", "body": "B"})
print(client.execute_with_approval(*call, integration_alias="gh", poll_seconds=0.02, on_approval_required=lambda it: client.approvals.approve(it.id) and None).output)
try:
    client.execute_with_approval(*call, integration_alias="gh", poll_seconds=0.02, on_approval_required=lambda it: client.approvals.reject(it.id, reason="Asked for") and None)
except ApprovalDeclinedError as error:
    print(str(error).split(" ", 2)[2])

async def main():
    async with AsyncDrawbridge(workspace_id=sys.argv[1]) as client:
        async def approve(it):
            await client.approvals.approve(it.id)
        print((await client.execute_with_approval(*call, integration_alias="gh", poll_seconds=0.02, on_approval_required=approve)).output)

asyncio.run(main())
`;

/** Returns the installed versions of Python 3.10 to 3.13. */
function pythons(): { name: string; python: string }[] {
  const folder = join(homedir(), '.pyenv/versions');
  const versions = existsSync(folder) ? readdirSync(folder).filter((version) => /^3\.1[0-3]\./.test(version)) : [];
  const found = versions.map((version) => ({ name: `Python ${version}`, python: join(folder, version, 'bin/python') }));
  return found.length > 0 ? found : [{ name: 'the installed Python', python: 'python3' }];
}
