// Replaces every pod of every service while requests arrive. ROLLOUTS sets how many times (default 2).
import { type FakeProvider } from '@drawbridge/testkit';
import { modernMessage } from '../../support/agents.js';
import { githubAgent } from '../../support/github-agent.js';
import { type PlainRequest, steadyRequests } from './steady-requests.js';
import { kubectl } from './kubectl.js';

const SERVICES = ['gateway', 'members', 'connections', 'catalog', 'approvals', 'execution', 'triggers', 'mcp'];
const ROLLOUTS = Number(process.env['ROLLOUTS'] ?? 2);
const PER_SECOND = 50;
const ROLLOUT_MS = 1_500_000;
/** The number of failures of an update that are printed. */
const SHOWN = 10;

/** Restarts a deployment, and waits until all of its pods are new. */
async function rollOut(service: string): Promise<void> {
  await kubectl('rollout', 'restart', `deployment/${service}`);
  await kubectl('rollout', 'status', `deployment/${service}`, '--timeout=230s');
}

describe('a rolling update of every service', () => {
  let github: FakeProvider;
  let requests: PlainRequest[];
  let baseUrl: string;

  beforeAll(async () => {
    // Other files replace the database and kill containers, and an update first removes the pods that are not ready.
    await kubectl('wait', '--for=condition=Available', 'deployment', '--all', '--timeout=200s');
    const agent = await githubAgent();
    ({ github } = agent);
    baseUrl = agent.product.baseUrl;
    requests = requestsOf(agent);
  }, 300_000);
  afterAll(() => github.stop());

  it.each(Array.from({ length: ROLLOUTS }, (_, index) => index + 1))(
    'refuses and loses no request: update %i',
    async () => {
      const load = steadyRequests(baseUrl, PER_SECOND, requests);
      for (const service of SERVICES) await rollOut(service);
      const { sent, failures } = await load.stop();
      // The failures are also printed at once, because the report of jest follows only after the last update.
      process.stdout.write(
        [`${sent} requests, ${failures.length} failed`, ...failures.slice(0, SHOWN)].join('\n') + '\n',
      );
      expect(failures).toEqual([]);
      expect(sent).toBeGreaterThan(PER_SECOND);
    },
    ROLLOUT_MS,
  );
});

/** Returns requests that reach every service and cause all calls between services. */
function requestsOf({ product, own, server }: Awaited<ReturnType<typeof githubAgent>>): PlainRequest[] {
  const { workspaceId, createIssue } = own;
  const read = (name: string, path: string): PlainRequest => ({ name, method: 'GET', path, token: product.key });
  const { body, headers } = modernMessage({
    method: 'tools/call',
    params: { name: 'hash__hash', arguments: { text: 'hello', algorithm: 'sha256' } },
  });
  return [
    read('members', '/api/v1/workspaces?limit=2'),
    read('connections', '/api/v1/connections?limit=2'),
    read('catalog', `/api/v1/workspaces/${workspaceId}/integrations`),
    read('approvals', `/api/v1/approvals?workspaceId=${workspaceId}`),
    read('triggers', `/api/v1/triggers?workspaceId=${workspaceId}`),
    {
      ...{ name: 'execution', method: 'POST', path: '/api/v1/actions/execute', token: product.key, body: createIssue },
      isRight: ({ success }) => success === true,
    },
    {
      ...{ name: 'mcp', method: 'POST', path: server.path, token: server.token, body },
      headers: { ...headers, accept: 'application/json' },
      isRight: ({ result }) => result?.isError !== true && result?.structuredContent !== undefined,
    },
  ];
}
