// Shapes: none; in full: processes
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from '@drawbridge/contracts';
import { startKafka } from '@drawbridge/testkit';
import { apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Fault, faultsOf } from './support/endurance/faults.js';
import { stableGroups, untilWhole } from './support/endurance/groups.js';
import { reportOf } from './support/endurance/latencies.js';
import { type FaultWindow, type Noted, wrongOf } from './support/endurance/ledger.js';
import { type Sink, sinkOf } from './support/endurance/sink.js';
import { type ThirdParties, thirdParties } from './support/endurance/third-parties.js';
import { writesOf } from './support/endurance/writes.js';
import { eventually } from './support/eventually.js';
import { type NotifiedTriggers, notifiedTriggers, waitingInbound } from './support/notified-triggers.js';
import { unexpectedErrors } from './support/unexpected.js';
import { waitUntilReady } from './support/wait-until-ready.js';

/** The duration of the faults in seconds. `pnpm endurance` uses twenty minutes. */
const SECONDS = Number(process.env['ENDURANCE_SECONDS'] ?? 120);
const PER_SECOND = Number(process.env['EVENTS_PER_SECOND'] ?? 50);
const EVERY_MS = 20_000;
/** A killed Kafka consumer keeps its partitions for 10 s, and an interrupted callback may be retried only after 5 minutes. */
const RECOVERED_MS = 400_000;

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-endurance-'));
let kafka: Awaited<ReturnType<typeof startKafka>>;
let its: NotifiedTriggers;
let events: ThirdParties;
let sink: Sink;
let writes: { stop(): Promise<void> };
const windows: FaultWindow[] = [];

beforeAll(async () => {
  kafka = await startKafka(folder);
  const replicas = Object.fromEntries(SERVICES.map((service) => [service, 2]));
  its = await notifiedTriggers({ KAFKA_BROKERS: kafka.brokers, LOG_LEVEL: 'info' }, { replicas });
  events = await thirdParties(its, PER_SECOND);
  sink = sinkOf(its.receiver, events.ledger);
  writes = writesOf(apiOf(its.product.baseUrl, its.product.key));
}, RECOVERED_MS);
afterAll(async () => {
  await its?.stop();
  await kafka?.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}, RECOVERED_MS);

async function restartBroker(): Promise<void> {
  await kafka.end('SIGTERM');
  kafka = await startKafka(folder, Number(kafka.brokers.split(':')[1]));
}

/** Waits until all acknowledged events were delivered. */
async function untilTold(): Promise<void> {
  const sent = [...events.ledger].filter(([, { acknowledgedAt }]) => acknowledgedAt !== undefined);
  await eventually(async () => {
    expect(sent.filter(([, { arrivals }]) => arrivals.length === 0).map(([id]) => id)).toEqual([]);
  }, RECOVERED_MS);
}

async function endure({ name, strike }: Fault): Promise<void> {
  const before = await stableGroups(its.product);
  const from = Date.now();
  const killed = await strike();
  await Promise.all(killed.map((one) => its.product.restart(one)));
  await waitUntilReady(its.product, RECOVERED_MS);
  await untilWhole(its.product, killed, before);
  await untilTold();
  windows.push({ name, from, until: Date.now(), killed });
}

async function notedDeliveries(): Promise<Noted> {
  const sql = 'SELECT event_id AS id, delivered_at AS at FROM triggers.deliveries WHERE delivered_at IS NOT NULL';
  const rows = await rowsOf<{ id: string; at: Date }>(its.product.databaseUrl, sql);
  return new Map(rows.map(({ id, at }) => [id, at.getTime()]));
}

describe('events, while processes are killed and the broker restarts', () => {
  it(
    'are each delivered, and twice only where a process died before it recorded the delivery',
    async () => {
      const faults = faultsOf({ product: its.product, sink, sourceIds: events.sourceIds, restartBroker });
      const endsAt = Date.now() + SECONDS * 1_000;
      for (let turn = 0; Date.now() < endsAt; turn++) {
        const nextAt = Date.now() + EVERY_MS;
        if (turn > 0) await endure(faults[(turn - 1) % faults.length]!);
        await sleep(Math.max(0, nextAt - Date.now()));
      }
      await Promise.all([events.stop(), writes.stop()]);
      await untilTold();
      process.stdout.write(reportOf(events.ledger, windows));
      const none = { lost: [], twoEvents: [], afterNoted: [], unexplained: [], beyondInFlight: [] };
      expect(wrongOf(events.ledger, await notedDeliveries(), windows)).toEqual(none);
    },
    SECONDS * 1_000 + 4 * RECOVERED_MS,
  );

  it('leave no backlog, no dead letters and no unexpected errors', async () => {
    const { databaseUrl } = its.product;
    await eventually(async () => {
      expect(await waitingInbound(databaseUrl)).toBe(0);
      expect(await rowsOf(databaseUrl, `SELECT id FROM triggers.deliveries WHERE status <> 'success'`)).toEqual([]);
    }, RECOVERED_MS);
    expect(its.product.logs()).not.toContain('an event was moved to the dead letters');
    expect({ answers: events.surprises, errors: unexpectedErrors(its.product.logs()) }).toEqual({
      answers: [],
      errors: [],
    });
  });
});
