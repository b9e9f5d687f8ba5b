// Shapes: local
import { type AgentServer, agentServer, modern, newAgent } from './support/agents.js';
import { type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { unfinished, type Unfinished } from './support/unfinished.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

/** Concurrency limits of one gateway (docs/limits.md). */
const OF_END_USER = 30;
const OF_ORGANIZATION = 100;

let api: Api;
let workspaceId: string;
let server: AgentServer;
let slow: Unfinished;

beforeAll(async () => {
  ({ api } = await drawbridge());
  workspaceId = await newWorkspace(api);
  await newIntegration(api, workspaceId);
  server = await agentServer(api, workspaceId);
});
beforeEach(() => void (slow = unfinished()));
afterEach(() => slow.hangUp());

/** Starts `count` messages of a new end user that do not complete. */
async function beginAs(count: number): Promise<void> {
  const { token } = await newAgent(api, { workspaceId, serverId: server.serverId });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  slow.begin(count, server.baseUrl + server.path, headers);
}

const goOn = (count: number): Promise<void> =>
  eventually(async () => expect(slow.going.length).toBeGreaterThanOrEqual(count));

it("one end user occupies a limited number of the organization's slots, however many messages they send", async () => {
  await beginAs(OF_ORGANIZATION + 30);
  await goOn(OF_END_USER);
  for (let list = 0; list < 5; list++) expect((await modern(server)).status).toBe(200);
  expect([slow.going.length, slow.answered()]).toEqual([OF_END_USER, 0]);
});

it('end users of one organization are scheduled fairly', async () => {
  for (let full = OF_END_USER; full <= 4 * OF_END_USER; full += OF_END_USER) {
    await beginAs(OF_END_USER);
    await goOn(Math.min(full, OF_ORGANIZATION));
  }
  const listed = modern(server);
  // Frees some slots. In order of arrival, the waiting messages of the last end user would fill them, and the list above would not be served.
  for (const one of slow.going.slice(0, OF_END_USER / 3)) {
    one.destroy();
    expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200);
  }
  expect([(await listed).status, slow.answered()]).toEqual([200, 0]);
});
