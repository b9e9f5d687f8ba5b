import { newId } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { EgressError, type OutgoingRequest, type OutgoingResponse, type Send } from '@drawbridge/egress';
import { type JobContext } from '@drawbridge/jobs';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type PrismaClient as Db, type WebhookDelivery } from '../gen/prisma/client.js';
import { approvals } from '../index.js';
import { linkKeeper } from '../requests/approval-links.js';
import { deliveryTask } from './deliver.js';

let database: Database<Db>;
let close: () => Promise<void>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(approvals)));
afterAll(() => close());

/** A webhook receiver that responds when the test sends a status. */
function newReceiver() {
  const waiting: ((status: number) => void)[] = [];
  const send = (): Promise<OutgoingResponse> =>
    new Promise((resolve) => waiting.push((status) => resolve({ status, headers: {} } as OutgoingResponse)));
  return { waiting, send };
}

async function newDelivery(): Promise<WebhookDelivery> {
  const facts = { policyId: newId(), policyName: 'p', integrationName: 'github', actionName: 'a', riskReasons: [] };
  return database.db.webhookDelivery.create({
    data: {
      ...{ id: newId(), orgId: newId(), workspaceId: newId(), facts, eventType: 'approval.notified' },
      ...{ callbackUrl: 'https://receiver.example', occurredAt: new Date() },
    },
  });
}

const find = ({ id, orgId }: WebhookDelivery) => database.db.webhookDelivery.findFirst({ where: { id, orgId } });

/** Begins a delivery attempt as a separate process would. `lease` is the lease of the job. */
function begin(delivery: WebhookDelivery, attempt: number, send: Send) {
  const lease = new AbortController();
  const task = deliveryTask({
    ...{
      db: database.db,
      egress: { sendFor: () => send },
      links: linkKeeper('k'.repeat(32)),
      baseUrl: 'https://a.example',
    },
    vault: { signWebhook: async () => ({ headers: {} }) },
  });
  const { id, orgId } = delivery;
  const job: JobContext = { attempt, signal: lease.signal, noteTarget: () => undefined };
  const ended = task({ id, orgId }, job).then(
    () => 'done',
    () => 'failed',
  );
  return { lease, ended };
}

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 5));
};

it('leaves the delivery to the process that has its lease', async () => {
  const delivery = await newDelivery();
  const [late, current] = [newReceiver(), newReceiver()];
  const lost = begin(delivery, 10, late.send);
  await until(() => late.waiting.length === 1);
  lost.lease.abort();
  const holder = begin(delivery, 2, current.send);
  await until(() => current.waiting.length === 1);
  late.waiting[0]!(500);
  expect(await lost.ended).toBe('failed');
  expect(await find(delivery)).toMatchObject({ status: 'pending', attempt: 2, httpStatus: null, errorMessage: null });
  current.waiting[0]!(200);
  expect(await holder.ended).toBe('done');
  expect(await find(delivery)).toMatchObject({ status: 'success', attempt: 2, httpStatus: 200 });
});

it('records what arrived, also after the lease ended', async () => {
  const delivery = await newDelivery();
  const [late, current] = [newReceiver(), newReceiver()];
  const lost = begin(delivery, 1, late.send);
  await until(() => late.waiting.length === 1);
  lost.lease.abort();
  const holder = begin(delivery, 2, current.send);
  await until(() => current.waiting.length === 1);
  late.waiting[0]!(200);
  await lost.ended;
  current.waiting[0]!(500);
  await holder.ended;
  expect(await find(delivery)).toMatchObject({ status: 'success', httpStatus: 200 });
});

it('sends nothing after its lease has ended', async () => {
  const delivery = await newDelivery();
  const receiver = newReceiver();
  const lost = begin(delivery, 1, receiver.send);
  lost.lease.abort();
  expect([await lost.ended, receiver.waiting.length]).toEqual(['failed', 0]);
  expect(await find(delivery)).toMatchObject({ status: 'pending', attempt: 0 });
});

it('cuts the request when its lease ends, so that two processes never send at once', async () => {
  const delivery = await newDelivery();
  let isSending = false;
  const send = ({ signal }: OutgoingRequest): Promise<OutgoingResponse> =>
    new Promise((_, reject) => {
      isSending = true;
      signal?.addEventListener('abort', () => reject(new EgressError('TIMEOUT', 'cut')));
    });
  const lost = begin(delivery, 1, send);
  await until(() => isSending);
  lost.lease.abort();
  expect(await lost.ended).toBe('failed');
  expect(await find(delivery)).toMatchObject({ status: 'pending', httpStatus: null, errorMessage: null });
});
