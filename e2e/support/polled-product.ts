import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeProvider, fakeProvider, type Product, type ProviderBehaviour } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './api.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { ownProduct } from './own-product.js';
import { fresh } from './owned-resources.js';
import { OTHER_ORIGIN, OTHER_PIECE, POLLED_ORIGIN, POLLED_PIECE } from './polled-piece.js';
import { webOf } from './web.js';
import { webhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

export interface Thing {
  id: number;
  at: number;
}

/** A source, with what it polls and where it tells of it. */
export interface PolledSource {
  id: string;
  /** Newest first, as the third party shows them, two a page. */
  things: Thing[];
  connectionId: string;
  /** The header of its connection. */
  authorization: string;
  /** Ids of the things that were told of, in any order, once there are so many. */
  told(many: number): Promise<number[]>;
  /** As if its time had come: to be polled, or renewed. */
  due(column?: 'poll_at' | 'renew_at'): Promise<void>;
  /** Its connection is given the same credential again, by a link. */
  reconnect(): Promise<void>;
  /** As if who enabled it had died before it wrote down what was registered. */
  abandon(): Promise<void>;
  row(): Promise<any>;
  /** What the vault still has of it and, once it is deleted, of its connection. */
  kept(): Promise<object[]>;
}

export interface PolledProduct {
  product: Product;
  api: Api;
  thirdParty: FakeProvider;
  receiver: WebhookReceiver;
  workspaceId: string;
  enable(fields: object): Promise<Answer>;
  /** An enabled source, by a connection of its own whose things nobody else sees; of the organization, unless `scope` says whose. */
  newSource(
    fields?: { integrationName?: string; [field: string]: unknown },
    things?: Thing[],
    scope?: object,
  ): Promise<PolledSource>;
  /** Called after each page of things was made, and before it is shown; what it answers is shown instead. */
  whilePolled(happens: Happens): void;
  /** Holds the polls that begin from now on, until they are let go. */
  hold(): HeldPolls;
  /** Has the third party lend subscriptions; notes in the list what it is asked for. */
  lend(): string[];
  stop(): Promise<void>;
}

interface HeldPolls {
  begun: Promise<void>;
  letGo(): void;
  polls(): number;
}

type Happens = () => ProviderBehaviour | void | Promise<ProviderBehaviour | void>;

const PATH = '/api/v1/triggers';
const BASE_URL = 'https://gateway.example';
const KEPT = `
  SELECT id FROM connections.source_secrets WHERE id = $1
  UNION ALL SELECT id FROM connections.revocations WHERE id = $2`;

/** A product whose triggers run twice, with the piece of `polled-piece.ts`, and those that it asks and tells. */
export async function polledProduct(env: Record<string, string> = {}): Promise<PolledProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-polled-'));
  writeFileSync(join(folder, 'acme.mjs'), POLLED_PIECE);
  writeFileSync(join(folder, 'beside.mjs'), OTHER_PIECE);
  const [thirdParty, beside, receiver] = await Promise.all([fakeProvider(), fakeProvider(), webhookReceiver()]);
  const ORIGIN_MAP = JSON.stringify({ [POLLED_ORIGIN]: thirdParty.url, [OTHER_ORIGIN]: beside.url });
  const own = { ...receiver.env, INTEGRATIONS_DIR: folder, ORIGIN_MAP, BASE_URL, ...env };
  const product = await ownProduct({ env: own, replicas: { triggers: 2 } });
  const api = apiOf(product.baseUrl, product.key);
  const workspaceId = (await api.post('/api/v1/workspaces', { name: 'Polled', slug: fresh() })).body.workspace.id;
  const enable: PolledProduct['enable'] = (fields) =>
    api.post(`${PATH}/enable`, { integrationName: 'acme', triggerName: 'new_thing', workspaceId, ...fields });
  const stop = async (): Promise<void> => {
    await product.stop();
    await Promise.all([thirdParty.stop(), beside.stop(), receiver.stop()]);
    rmSync(folder, { recursive: true });
  };
  const lists = new Map<string, Thing[]>();
  showThings(beside, lists);
  const whilePolled = showThings(thirdParty, lists);
  const hold = (): HeldPolls => holdPolls(whilePolled);
  const its = {
    product,
    api,
    thirdParty,
    receiver,
    workspaceId,
    enable,
    whilePolled,
    hold,
    lend: () => lendTo(thirdParty),
    stop,
  };
  return { ...its, newSource: sourceMaker(its, lists) };
}

/** A provider shows to each credential its own list. Returns what makes something happen meanwhile. */
function showThings(thirdParty: FakeProvider, lists: ReadonlyMap<string, Thing[]>): PolledProduct['whilePolled'] {
  let happens: Happens = () => undefined;
  thirdParty.on('GET /things', async ({ url, headers }) => {
    const page = Number(new URL(url, POLLED_ORIGIN).searchParams.get('page'));
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
  let [begin, letGo, polls] = [() => {}, () => {}, 0];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const until = new Promise<void>((resolve) => (letGo = resolve));
  whilePolled(() => {
    polls++;
    begin();
    return until;
  });
  return { begun, letGo, polls: () => polls };
}

type Its = Omit<PolledProduct, 'newSource'>;

function sourceMaker(
  { api, enable, receiver, product, workspaceId }: Its,
  lists: Map<string, Thing[]>,
): PolledProduct['newSource'] {
  return async (fields, things = [], scope = {}) => {
    const [name, { integrationName = 'acme' }] = [fresh(), { ...fields }];
    lists.set(`Bearer ${name}`, things);
    const credential = { type: 'SECRET_TEXT', secretText: name, integrationName, externalId: name };
    const made = await api.post('/api/v1/connections', { ...credential, ...scope, displayName: name });
    const answer = await enable({ callbackUrl: receiver.hook(`/${name}`), connectionExternalId: name, ...fields });
    expect(answer).toMatchObject({ status: 201 });
    const { id } = answer.body.triggerSource;
    const connectionId = made.body.connection.id;
    const rows = (sql: string): Promise<any[]> => rowsOf(product.databaseUrl, sql, [id]);
    return {
      ...{ id, things, connectionId, authorization: `Bearer ${name}` },
      told: (many) => eventually(async () => toldOf(receiver, name, many)),
      due: async (column = 'poll_at') => {
        await rows(`UPDATE triggers.sources SET ${column} = now() WHERE id = $1`);
      },
      async reconnect() {
        const { body } = await api.post(`/api/v1/connections/${connectionId}/reconnect`, { workspaceId });
        const web = webOf(product.baseUrl);
        const { to } = await web.get(`/connect?token=${body.token}`);
        const typed = { type: 'SECRET_TEXT', 'field.secretText': name };
        const page = new URL(to!, BASE_URL).pathname;
        expect(await web.post(page, typed, { origin: BASE_URL })).toMatchObject({ status: 303 });
      },
      async abandon() {
        await rows(`
          UPDATE triggers.sources SET status = 'enabling', suspended_at = now(), created_at = now() - interval '1 hour',
            state = NULL, connection_id = NULL WHERE id = $1`);
      },
      row: async () => (await rows('SELECT * FROM triggers.sources WHERE id = $1'))[0],
      kept: () => rowsOf(product.databaseUrl, KEPT, [id, connectionId]),
    };
  };
}

/** A callback may come twice, under the same id: a thing that is told of under two is here twice. */
function toldOf(receiver: WebhookReceiver, name: string, many: number): number[] {
  const told = new Map(receiver.at(`/${name}`).map(({ body }) => [body.id, body.payload.id as number]));
  expect(told.size).toBeGreaterThanOrEqual(many);
  return [...told.values()].sort((one, other) => one - other);
}
