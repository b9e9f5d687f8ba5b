import { type FakeProvider, type Product, type ProviderBehaviour } from '@drawbridge/testkit';
import { type Answer, type Api } from './api.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { fresh } from './owned-resources.js';
import { waitingInbound } from './notified-triggers.js';
import { productWithFakes } from './product-with-fakes.js';
import { fakeAt } from './provider.js';
import { webOf } from './web.js';
import { webhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

export interface Thing {
  id: number;
  at: number;
}

/** A trigger source, the things that it polls, and its callbacks. */
export interface PolledSource {
  id: string;
  externalId: string;
  /** The provider's things, newest first, two on a page. */
  things: Thing[];
  connectionId: string;
  /** The Authorization header that the connection of the source sends to the provider. */
  authorization: string;
  /** Waits until `many` things were delivered. Returns their ids in ascending order. */
  delivered(many: number): Promise<any[]>;
  /** Makes the source due for a poll or a renewal. */
  due(column?: 'poll_at' | 'renew_at'): Promise<void>;
  /** Enters the same credential again through a reconnect link. */
  reconnect(): Promise<void>;
  /** Sets the source to the state in which a process that died before it stored the registration leaves it. */
  abandon(): Promise<void>;
  row(): Promise<any>;
  /** Returns the stored secrets of the source, and the pending revocations of its deleted connection. */
  kept(): Promise<object[]>;
}

export interface PolledProduct {
  product: Product;
  api: Api;
  thirdParty: FakeProvider;
  receiver: WebhookReceiver;
  workspaceId: string;
  enable(fields: object): Promise<Answer>;
  /** Enables a source with its own connection and things. By default, the connection belongs to the organization; `scope` overrides this. */
  newSource(
    fields?: { integrationName?: string; [field: string]: unknown },
    things?: Thing[],
    scope?: object,
  ): Promise<PolledSource>;
  /** Enables a trigger with the connection of another source. */
  newSharing(source: PolledSource, fields: object): Promise<PolledSource>;
  /** Copies the row of a source. */
  copyRows(source: PolledSource, times: number): Promise<void>;
  /** Returns the number of received webhooks that are not processed yet. */
  waitingInbound(): Promise<number>;
  /** Calls `happens` after a page of things was built and before it is sent. Its result, if any, is sent instead of the page. */
  whilePolled(happens: Happens): void;
  /** Delays all polls that start after this call, until `release` is called. */
  hold(): HeldPolls;
  /** Configures the provider to accept subscriptions. Returns the list in which it records the requests. */
  lend(): string[];
  stop(): Promise<void>;
}

interface HeldPolls {
  begun: Promise<void>;
  release(): void;
  polls(): number;
}

type Happens = () => ProviderBehaviour | void | Promise<ProviderBehaviour | void>;

const PATH = '/api/v1/triggers';
const KEPT = `
  SELECT id FROM connections.source_secrets WHERE id = $1
  UNION ALL SELECT id FROM connections.revocations WHERE id = $2`;

/**
 * Prepares an organization for the pieces `polled` and `beside`, and starts the providers and receiver that it uses. With separate services, the product
 * has two replicas of triggers.
 */
export async function polledProduct(env?: Record<string, string>): Promise<PolledProduct> {
  const { product, api, ports, ...its } = await productWithFakes({ env, replicas: { triggers: 2 } });
  const thirdParty = await fakeAt(ports.polled);
  const beside = await fakeAt(ports.beside);
  const receiver = await webhookReceiver(ports);
  const workspaceId = (await api.post('/api/v1/workspaces', { name: 'Polled', slug: fresh() })).body.workspace.id;
  const enable: PolledProduct['enable'] = (fields) =>
    api.post(`${PATH}/enable`, { integrationName: 'polled', triggerName: 'new_thing', workspaceId, ...fields });
  const stop = async (): Promise<void> => {
    await its.stop();
    await Promise.all([thirdParty.stop(), beside.stop(), receiver.stop()]);
  };
  const lists = new Map<string, Thing[]>();
  showThings(beside, lists);
  const whilePolled = showThings(thirdParty, lists);
  const hold = (): HeldPolls => holdPolls(whilePolled);
  const polled = {
    product,
    api,
    thirdParty,
    receiver,
    workspaceId,
    enable,
    whilePolled,
    hold,
    lend: () => lendTo(thirdParty),
    copyRows: ({ id }: PolledSource, times: number) => copyRows(product.databaseUrl, id, times),
    waitingInbound: () => waitingInbound(product.databaseUrl),
    stop,
  };
  return { ...polled, ...sourceMaker(polled, lists) };
}

/** Copies the row of a trigger source. Each copy has a new id. */
async function copyRows(databaseUrl: string, id: string, times: number): Promise<void> {
  const sql = `
    INSERT INTO triggers.sources SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid()))).*
    FROM triggers.sources s, generate_series(1, $2::int) WHERE s.id = $1`;
  await rowsOf(databaseUrl, sql, [id, times]);
}

/** Serves a separate list for each credential. Returns `whilePolled`. */
function showThings(thirdParty: FakeProvider, lists: ReadonlyMap<string, Thing[]>): PolledProduct['whilePolled'] {
  let happens: Happens = () => undefined;
  thirdParty.on('GET /things', async ({ url, headers }) => {
    const page = Number(new URL(url, thirdParty.url).searchParams.get('page'));
    const all = lists.get(headers['authorization'] ?? '') ?? [];
    const body = { things: all.slice(page * 2 - 2, page * 2), next: all.length > page * 2 ? page + 1 : null };
    return (await happens()) ?? { body };
  });
  return (what) => void (happens = what);
}

function lendTo(thirdParty: FakeProvider): string[] {
  const leases: string[] = [];
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const note = (line: string, body: object) => {
    leases.push(line);
    return { body };
  };
  thirdParty.on('POST /leases', () => note('enable', { id: 1, until }));
  thirdParty.on('PUT /leases/1', () => note('renew 1', { id: 2, until, secret: 'second-canary' }));
  thirdParty.on('DELETE /leases/1', () => note('end 1', {}));
  thirdParty.on('DELETE /leases/2', () => note('end 2', {}));
  return leases;
}

function holdPolls(whilePolled: PolledProduct['whilePolled']): HeldPolls {
  let [begin, release, polls] = [() => {}, () => {}, 0];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const until = new Promise<void>((resolve) => (release = resolve));
  whilePolled(() => {
    polls++;
    begin();
    return until;
  });
  return { begun, release, polls: () => polls };
}

type Its = Omit<PolledProduct, 'newSource' | 'newSharing'>;

function sourceMaker(its: Its, lists: Map<string, Thing[]>): Pick<PolledProduct, 'newSource' | 'newSharing'> {
  const { api, enable, receiver } = its;
  const enabled = async (of: Connected, fields: object): Promise<PolledSource> => {
    const path = `/${fresh()}`;
    const answer = await enable({ callbackUrl: receiver.hook(path), connectionExternalId: of.externalId, ...fields });
    expect(answer).toMatchObject({ status: 201 });
    return toSource(its, of, { id: answer.body.triggerSource.id, path });
  };
  return {
    newSharing: enabled,
    async newSource(fields, things = [], scope = {}) {
      const [name, { integrationName = 'polled' }] = [fresh(), { ...fields }];
      lists.set(`Bearer ${name}`, things);
      const credential = { type: 'SECRET_TEXT', secretText: name, integrationName, externalId: name };
      const made = await api.post('/api/v1/connections', { ...credential, ...scope, displayName: name });
      const connectionId = made.body.connection.id;
      return enabled({ externalId: name, things, connectionId, authorization: `Bearer ${name}` }, { ...fields });
    },
  };
}

type Connected = Pick<PolledSource, 'externalId' | 'things' | 'connectionId' | 'authorization'>;

function toSource(
  { api, receiver, product, workspaceId }: Its,
  { externalId, things, connectionId, authorization }: Connected,
  { id, path }: { id: string; path: string },
): PolledSource {
  const rows = (sql: string): Promise<any[]> => rowsOf(product.databaseUrl, sql, [id]);
  return {
    ...{ id, externalId, things, connectionId, authorization },
    delivered: (many) => eventually(async () => deliveredTo(receiver, path, many)),
    due: async (column = 'poll_at') => {
      await rows(`UPDATE triggers.sources SET ${column} = now() WHERE id = $1`);
    },
    async reconnect() {
      const { body } = await api.post(`/api/v1/connections/${connectionId}/reconnect`, { workspaceId });
      const web = webOf(product.baseUrl);
      const { to } = await web.get(`/connect?token=${body.token}`);
      const typed = { type: 'SECRET_TEXT', 'field.secretText': externalId };
      const page = new URL(to!, product.baseUrl).pathname;
      expect(await web.post(page, typed, { origin: product.baseUrl })).toMatchObject({ status: 303 });
    },
    async abandon() {
      await rows(`
        UPDATE triggers.sources SET status = 'enabling', suspended_at = now(), created_at = now() - interval '1 hour',
          state = NULL, connection_id = NULL WHERE id = $1`);
    },
    row: async () => (await rows('SELECT * FROM triggers.sources WHERE id = $1'))[0],
    kept: () => rowsOf(product.databaseUrl, KEPT, [id, connectionId]),
  };
}

/**
 * Returns the delivered things. A callback that arrives twice with the same event id counts once. A thing that arrives with two event ids counts
 * twice.
 */
function deliveredTo(receiver: WebhookReceiver, path: string, many: number): number[] {
  const delivered = new Map(receiver.at(path).map(({ body }) => [body.id, body.payload.id as number]));
  expect(delivered.size).toBeGreaterThanOrEqual(many);
  return [...delivered.values()].sort((one, other) => one - other);
}
