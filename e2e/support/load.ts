import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Api } from './api.js';
import { type GithubWorkspace } from './github.js';

/** The operations that the product acknowledged. Operations without a response may also have happened; they are not included. */
export interface Acknowledged {
  workspaces: Set<string>;
  connections: Set<string>;
  deletedWorkspaces: Set<string>;
  deletedConnections: Set<string>;
  /** Titles of the issues that runs without an idempotency key created. */
  runs: Set<string>;
  /** Maps the title, which is also the idempotency key, to the result of the run. */
  keyedRuns: Map<string, 'success' | 'failed'>;
  /** Titles of runs without a key that were rejected because of an outage. None of them was executed. */
  refusedRuns: Set<string>;
}

export interface Load {
  acknowledged: Acknowledged;
  /** Responses that an outage does not explain. */
  surprises: string[];
  /** Returns the number of outage responses so far. */
  outages(): number;
  /** Resolves after `count` more acknowledged writes. */
  more(count: number): Promise<void>;
  /** Starts no new writes. Resolves when every run with a key has a response or has timed out. */
  stop(): Promise<void>;
}

const RETRY_MS = 100;
/** The maximum time between the last kill and the response to a run with a key. Its lease is 15 s. */
const ANSWERED_MS = 60_000;
const WRITERS = 2;
/** The number of writers of all kinds. */
export const LOAD_WRITERS = 3 * WRITERS;

/** Writes to every service continuously while processes die: configuration, deletions, and runs with and without a key. */
export function startLoad(api: Api, { createIssue }: Pick<GithubWorkspace, 'createIssue'>): Load {
  const acknowledged = nothing();
  const surprises: string[] = [];
  const counter = newCounter();
  let outages = 0;
  let stopped = false;
  let giveUpAt = Infinity;

  /** Returns the body of an acknowledged write. Otherwise throws: the write may or may not have happened. */
  async function ask(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await api.send(method, path, { body });
    if (isOutage(answer)) outages++;
    if (isOutage(answer)) throw new Outage('not acknowledged');
    if (isAnswer(answer)) counter.add();
    else surprises.push(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function configure(slug: string, turn: number): Promise<void> {
    const { workspace } = await ask('POST', '/api/v1/workspaces', { name: slug, slug });
    acknowledged.workspaces.add(workspace.id);
    const { connection } = await ask('POST', '/api/v1/connections', newConnection(slug, workspace.id));
    acknowledged.connections.add(connection.id);
    const integration = { integrationName: 'github', connectionId: connection.id };
    await ask('POST', `/api/v1/workspaces/${workspace.id}/integrations`, integration);
    const { policy } = await ask('POST', '/api/v1/approval-policies', { name: slug, workspaceId: workspace.id });
    await ask('DELETE', `/api/v1/approval-policies/${policy.id}`);
    const { triggerSource } = await ask('POST', '/api/v1/triggers/enable', simulated(workspace.id));
    await ask('POST', '/api/v1/triggers/disable', { triggerSourceId: triggerSource.id });
    const { server } = await ask('POST', '/api/v1/mcp/servers', { name: slug, workspaceId: workspace.id });
    await ask('DELETE', `/api/v1/mcp/servers/${server.id}`);
    if (turn % 3 === 0) return;

    // Recorded before the request, because without a response the deletion may have happened.
    acknowledged.connections.delete(connection.id);
    if (turn % 3 === 1) {
      await ask('DELETE', `/api/v1/connections/${connection.id}`);
    } else {
      acknowledged.workspaces.delete(workspace.id);
      await ask('DELETE', `/api/v1/workspaces/${workspace.id}`);
      acknowledged.deletedWorkspaces.add(workspace.id);
    }
    acknowledged.deletedConnections.add(connection.id);
  }

  async function execute(title: string): Promise<void> {
    const { success } = await ask('POST', '/api/v1/actions/execute', withTitle(createIssue, title));
    if (success) acknowledged.runs.add(title);
  }

  async function executeWithKey(title: string): Promise<void> {
    const body = { ...withTitle(createIssue, title), idempotencyKey: title };
    while (!acknowledged.keyedRuns.has(title)) {
      if (Date.now() > giveUpAt) return void surprises.push(`${title} has no answer`);
      const answered = await ask('POST', '/api/v1/actions/execute', body).catch(() => sleep(RETRY_MS));
      if (answered) acknowledged.keyedRuns.set(title, answered.success ? 'success' : 'failed');
    }
  }

  async function repeat(name: string, work: (name: string, turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; !stopped; turn++) await work(`${name}-${turn}`, turn).catch(() => sleep(RETRY_MS));
  }

  const run = randomBytes(3).toString('hex'); // keeps names unique if two loads use the same product
  const kinds = { configure, execute, execute_with_key: executeWithKey };
  const writers = Object.entries(kinds).flatMap(([kind, work]) =>
    Array.from({ length: WRITERS }, (_, index) => repeat(`${kind.replaceAll('_', '-')}-${run}-${index}`, work)),
  );
  return {
    acknowledged,
    surprises,
    outages: () => outages,
    more: (count) => counter.reach(counter.value() + count),
    async stop() {
      stopped = true;
      giveUpAt = Date.now() + ANSWERED_MS;
      await Promise.all(writers);
    },
  };
}

/** Returns whether the response reports an outage. This includes a change with an unknown outcome. */
function isOutage({ status, body }: Answer): boolean {
  return status === 503 || status === 504 || (status === 500 && body.details?.reason === 'outcome_unknown');
}

/** Returns whether the response is an acknowledgement. This includes the response to an interrupted run. */
function isAnswer({ status, body }: Answer): boolean {
  return status === 200 || status === 201 || (status === 400 && body.details?.reason === 'outcome_unknown');
}

function newCounter(): { add(): void; value(): number; reach(goal: number): Promise<void> } {
  let value = 0;
  let waiting: { goal: number; resolve: () => void }[] = [];
  return {
    value: () => value,
    add() {
      value++;
      for (const { goal, resolve } of waiting) if (value >= goal) resolve();
      waiting = waiting.filter(({ goal }) => value < goal);
    },
    reach: (goal) => new Promise((resolve) => waiting.push({ goal, resolve })),
  };
}

const nothing = (): Acknowledged => ({
  workspaces: new Set(),
  connections: new Set(),
  deletedWorkspaces: new Set(),
  deletedConnections: new Set(),
  runs: new Set(),
  keyedRuns: new Map(),
  refusedRuns: new Set(),
});

class Outage extends Error {}

const newConnection = (name: string, workspaceId: string): object => ({
  type: 'SECRET_TEXT',
  secretText: `ghp_${name}`,
  integrationName: 'github',
  externalId: name,
  displayName: name,
  scope: 'WORKSPACE',
  workspaceId,
});

/** A trigger source in simulation mode: nothing is registered at the provider. */
const simulated = (workspaceId: string): object => ({
  ...{ integrationName: 'github', triggerName: 'push', input: { repo: 'acme/app' }, workspaceId },
  ...{ callbackUrl: 'https://acme.example/events', simulate: true },
});

const withTitle = (body: GithubWorkspace['createIssue'], title: string): object => ({
  ...body,
  input: { ...body.input, title },
});
