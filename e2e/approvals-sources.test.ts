// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { newKey } from './support/approvals.js';
import { drawbridge } from './support/drawbridge.js';
import { type GateOutcomes, gateOutcomes, OUTCOMES } from './support/gate-outcomes.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { provider } from './support/provider.js';
import { newConnection } from './support/workspace-integrations.js';

const [EXECUTE, EXPLAIN] = ['/api/v1/actions/execute', '/api/v1/actions/explain'];

/** The sources of REST calls. Agents are tested in mcp-gate.test.ts. */
const SOURCES = ['rest', 'sdk', 'playground'];
const CASES = SOURCES.flatMap((source) =>
  OUTCOMES.map(([title, decision, status]) => ({ source, title, decision, status })),
);

/**
 * A variant of the call with the same title. `partials` contains the ids of two input partials (stored values for the input): one supplies the title,
 * the other enforces it.
 */
interface Way {
  name: string;
  change?: (partials: string[]) => object;
  /** The header with the idempotency key. If absent, the key is in the body. */
  header?: string;
  /** Set if the variant is equivalent to the plain call and shares its approval request. */
  same?: true;
  explained?: true;
}

const KEY = newKey();
const REPO = 'acme/app';
const DIRECT = { connectionExternalId: 'direct' };

let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;
let gate: GateOutcomes;
const waiting = new Set<string>();

const given = ([partial]: string[]): object => ({ input: { repo: REPO }, partialIds: [partial] });
const forced = ([, partial]: string[]): object => ({ input: { repo: REPO, title: 'free' }, partialIds: [partial] });
const inCapitals = (): object => ({
  workspaceId: own.workspaceId.toUpperCase(),
  workspaceIntegrationId: own.integrationId.toUpperCase(),
});
const WAYS: Way[] = [
  { name: 'as it stands', same: true },
  { name: 'with its key in a header', header: 'Idempotency-Key', same: true },
  { name: 'with its key in the other header', header: 'X-Idempotency-Key', same: true },
  { name: 'without an alias', change: () => ({ integrationAlias: undefined }), same: true },
  {
    name: 'by id',
    change: () => ({ integrationAlias: undefined, workspaceIntegrationId: own.integrationId }),
    same: true,
  },
  { name: 'with ids in capitals', change: inCapitals, same: true },
  { name: 'without partials', change: () => ({ partialIds: [] }), same: true },
  { name: 'by a partial', change: given, same: true },
  { name: 'forced by a partial', change: forced, same: true },
  { name: 'without a key' },
  { name: 'for an end user', change: () => ({ endUserId: 'ann' }) },
  { name: 'with its connection named', change: () => DIRECT },
  { name: 'with nothing but its connection named', change: () => ({ ...DIRECT, integrationAlias: undefined }) },
  { name: 'with its connection named, for an end user', change: () => ({ ...DIRECT, endUserId: 'ann' }) },
  { name: 'with its connection named, by a partial', change: (its) => ({ ...DIRECT, ...given(its) }) },
  { name: 'with its connection named, forced by a partial', change: (its) => ({ ...DIRECT, ...forced(its) }) },
  { name: 'explained', explained: true },
  { name: 'explained, with its connection named', change: () => DIRECT, explained: true },
  { name: 'explained, by a partial', change: given, explained: true },
  { name: 'explained, forced by a partial', change: forced, explained: true },
];

beforeAll(async () => {
  ({ api } = await drawbridge());
  github = await provider();
  own = await githubWorkspace(api);
  const { workspaceId } = own;
  await newConnection(api, { workspaceId, scope: 'WORKSPACE', externalId: 'direct' });
  gate = await gateOutcomes(api, own);
  const plain = { ...own.createIssue, input: { title: OUTCOMES[0]![0], repo: REPO } };
  expect((await api.post(EXECUTE, plain)).status).toBe(403);
});
afterAll(() => github?.stop());

async function ask(source: string, title: string, { change, header, same, explained }: Way): Promise<Answer> {
  // A key returns the stored result of an executed run, so only calls that wait for approval use the same key.
  const isKept = same && title.startsWith('ask/');
  const key = isKept && { [header ?? 'idempotencyKey']: KEY };
  const body = {
    ...own.createIssue,
    input: { title, repo: REPO },
    ...change?.(gate.partials[title]!),
    ...(!header && key),
  };
  const answer = await api.post(explained ? EXPLAIN : EXECUTE, body, { 'x-svc-source': source, ...(header && key) });
  if (isKept) waiting.add(answer.body.approval?.id);
  return answer;
}

it.each(CASES)('$source: $title is $decision for every caller', async ({ source, title, decision, status }) => {
  github.reset();
  const policyId = gate.policyIds[decision];
  const answers = await Promise.all(WAYS.map((way) => ask(source, title, way)));
  const shown = answers.map(({ status: its, body }, index) => {
    const { name, explained } = WAYS[index]!;
    return explained ? [name, body.refusal?.status, body.policy?.id] : [name, its, body.details?.policyId];
  });
  const blocked = status === 403 ? [403, policyId] : undefined;
  expect(shown).toEqual(
    WAYS.map(({ name, explained }) => [
      name,
      ...(blocked ?? (explained ? [undefined, policyId] : [status, undefined])),
    ]),
  );
  const runs = WAYS.filter(({ explained }) => !explained).length;
  const sent = github.requests.filter(({ body }) => body?.title === title);
  expect(sent).toHaveLength(status === 200 ? runs : 0);
});

it('one request waits for all that means the same', () => {
  expect(CASES.length * WAYS.length).toBe(300);
  expect([...waiting]).toEqual([expect.stringMatching(/^apr_/)]);
});
