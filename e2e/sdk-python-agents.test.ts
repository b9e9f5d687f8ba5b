// Shapes: none; in full: local
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { type FakeProvider } from '@drawbridge/testkit';
import { type Drawbridge as Product, drawbridge } from './support/drawbridge.js';
import { githubWorkspace } from './support/github.js';
import { provider } from './support/provider.js';

const ROOT = join(import.meta.dirname, '..');
const PACKAGE = join(ROOT, 'packages/sdk-python');
const { findPython, PREPARE_PYTHON } = await import(join(ROOT, 'scripts/prepare-python.mjs'));
const BIN: string | undefined = findPython();
const isRequired = (process.env['REQUIRE'] ?? '').split(',').includes('python');
const describePython = BIN || isRequired ? describe : describe.skip;

const FRAMEWORKS = ['LangChain', 'LangChain in coroutines', 'OpenAI Agents', 'OpenAI Agents in coroutines'];
/** The timeout of one agent run. An agent that hangs would otherwise delay the whole test run. */
const RUN_MS = 60_000;
const INPUT = { repo: 'acme/app', title: 'T', body: 'B' };
const ISSUE = { name: 'github_create_issue', input: INPUT };

interface Options {
  workspace_id: string;
  integration_alias: string;
}

interface Outcome {
  rounds: { results: string[]; text: string }[];
  offered: { name: string; description: string; schema: object }[];
  error?: string;
  message?: string;
}

let product: Product;
let github: FakeProvider;
let agents: ChildProcess;
let lines: Interface;
/** Rejects when the program of the agents has ended. */
let ended: Promise<never>;
/** A workspace without approval policies, and one in which every call needs an approval. */
let open: Options;
let guarded: Options;

/** Runs an agent once for each round, with the calls that its model makes. */
async function run(row: { framework: string; rounds: object[][] } & Record<string, unknown>): Promise<Outcome> {
  const answer = once(lines, 'line', { signal: AbortSignal.timeout(RUN_MS) });
  agents.stdin!.write(`${JSON.stringify({ options: open, actions: ['github.create_issue'], ...row })}\n`);
  const [line] = await Promise.race([answer, ended]);
  return JSON.parse(line);
}

describePython(`agents with the Python SDK (to run it: ${PREPARE_PYTHON})`, () => {
  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
    const options = async (): Promise<Options> => {
      const { workspaceId } = await githubWorkspace(product.api);
      return { workspace_id: workspaceId, integration_alias: 'gh' };
    };
    open = await options();
    guarded = await options();
    await product.api.post('/api/v1/approval-policies', { name: 'Ask first', workspaceId: guarded.workspace_id });
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: join(PACKAGE, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      DRAWBRIDGE_URL: product.baseUrl,
      DRAWBRIDGE_KEY: product.key,
    };
    const program = join(PACKAGE, 'tests/run_agents.py');
    agents = spawn(join(BIN!, 'python'), [program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    lines = createInterface({ input: agents.stdout! });
    ended = once(agents, 'exit').then(([code]) => Promise.reject(new Error(`run_agents.py ended with ${code}`)));
    ended.catch(() => undefined);
  });
  beforeEach(() => {
    github.reset();
    github.on('POST /repos/acme/app/issues', { status: 201, body: { number: 8 } });
  });
  afterAll(async () => {
    agents?.stdin?.end();
    await ended?.catch(() => undefined);
    await github?.stop();
  });

  describe.each(FRAMEWORKS)('%s', (framework) => {
    it('runs an action and gets its output', async () => {
      const { rounds } = await run({ framework, rounds: [[ISSUE]] });
      expect(rounds).toEqual([{ results: [expect.any(String)], text: 'Done' }]);
      expect(JSON.parse(rounds[0]!.results[0]!)).toMatchObject({ number: 8 });
      expect(github.requests).toHaveLength(1);
    });

    it('is offered the chosen actions, with their descriptions and inputs', async () => {
      const { offered } = await run({ framework, rounds: [], actions: ['hash-encode.*', 'github.create_issue'] });
      const { body } = await product.api.get('/api/v1/integrations');
      const actionsOf = (name: string) => body.integrations.find((one: { name: string }) => one.name === name).actions;
      const hashes = Object.keys(actionsOf('hash-encode')).map((action) => `hash_encode_${action}`);
      expect(offered.map(({ name }) => name)).toEqual([ISSUE.name, ...hashes.sort()]);
      expect(offered[0]).toMatchObject({
        description: actionsOf('github').create_issue.description,
        schema: { type: 'object', required: ['repo', 'title'], properties: { title: { type: 'string' } } },
      });
    });

    it('gets the reason of a failure and corrects its call', async () => {
      const invalid = { status: 422, body: { message: 'Title is bad' } };
      const created = { status: 201, body: { number: 9 } };
      github.on('POST /repos/acme/app/issues', () => (github.requests.length === 1 ? invalid : created));
      const { rounds } = await run({ framework, rounds: [[ISSUE, ISSUE]] });
      const [failed, done] = rounds[0]!.results;
      expect(failed).toMatch(/^github_create_issue failed: .*Title is bad.*\. The same arguments fail again/);
      expect(JSON.parse(done!)).toMatchObject({ number: 9 });
    });

    it('gets the problems of an input that is refused', async () => {
      const { rounds } = await run({ framework, rounds: [[{ ...ISSUE, input: { labels: [{}] } }]] });
      expect(rounds[0]!.results[0]).toMatch(/^github_create_issue did not run\. Its arguments are invalid: .*title/);
      expect(github.requests).toHaveLength(0);
    });

    it('gets the link of an approval, and runs the same call once after it', async () => {
      const again = { ...ISSUE, input: Object.fromEntries(Object.entries(INPUT).reverse()) };
      const [first, second] = (
        await run({
          framework,
          options: guarded,
          between: 'approve',
          rounds: [
            [ISSUE, ISSUE],
            [again, ISSUE],
          ],
        })
      ).rounds;
      const asks = /^A person must approve this first\. github_create_issue did not run\. .* at http\S+\/(apr_[^\s?]+)/;
      const ids = first!.results.map((result) => asks.exec(result)?.[1]);
      expect(ids).toEqual([expect.stringMatching(/^apr_/), ids[0]]);
      expect(JSON.parse(second!.results[0]!)).toMatchObject({ number: 8 });
      expect(second!.results[1]).toMatch(asks);
      expect(github.requests).toHaveLength(1);
    });

    it.each(['approve', 'reject'])('waits for a person who decides to %s', async (decision) => {
      const options = { ...guarded, on_approval: 'wait', poll_seconds: 0.02 };
      const [result] = (await run({ framework, options, decision, rounds: [[ISSUE]] })).rounds[0]!.results;
      if (decision === 'approve') expect(JSON.parse(result!)).toMatchObject({ number: 8 });
      else expect(result).toMatch(/^github_create_issue did not run\. Approval apr_\S+ is rejected: Asked for\./);
      expect(github.requests).toHaveLength(decision === 'approve' ? 1 : 0);
    });

    it('raises errors that only the program can correct', async () => {
      const failed = async (changes: object) => run({ framework, rounds: [[ISSUE]], ...changes });
      expect(await failed({ apiKey: 'svc_wrong' })).toMatchObject({ error: 'UnauthenticatedError' });
      const options = { ...open, integration_alias: 'none' };
      expect(await failed({ options })).toMatchObject({ error: 'ValidationError' });
      const message = expect.stringContaining('the instance has no action github.nothing');
      expect(await failed({ actions: ['github.nothing'] })).toMatchObject({ error: 'ValueError', message });
      expect(await failed({ actions: ['githib.*'] })).toMatchObject({ message: expect.stringContaining('githib') });
    });
  });

  it.each(FRAMEWORKS.filter((name) => name.endsWith('coroutines')))(
    'ends the request of %s when the run is canceled',
    async (framework) => {
      const ended = await run({ framework, rounds: [[ISSUE]], cancels: true });
      expect(ended).toEqual({ canceled: true, ended: true });
    },
  );

  it.each(FRAMEWORKS.slice(2))('tells a model of %s that its arguments are not JSON', async (framework) => {
    const { rounds } = await run({
      framework,
      rounds: [
        [
          { ...ISSUE, input: '{' },
          { ...ISSUE, input: '[1]' },
        ],
      ],
    });
    const text = expect.stringMatching(/^github_create_issue did not run\. Its arguments must be a JSON object/);
    expect(rounds[0]!.results).toEqual([text, text]);
  });
});
