import { randomUUID } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { type Bus, type EventPayload, type Message, newEvent, openBus, subscribe, topicOf } from '@drawbridge/events';
import { openServiceDatabase } from '@drawbridge/testkit';
import { verifyChains } from './audit/verify.js';
import { consumers } from './consumers.js';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { members } from './index.js';

const ROUNDS = 40;
const TOPIC = topicOf('execution');

let close: () => Promise<void>;
let database: Database<Db>;
let buses: Bus[];
const problems: object[] = [];
const note = (line: object): void => void problems.push(line);
const log = { debug() {}, info() {}, warn: note, error: note };

beforeAll(async () => {
  ({ database, close } = await openServiceDatabase(members));
  buses = [0, 1].map(() => openBus({ KAFKA_BROKERS: '', KAFKA_PREFIX: '' }, log));
  for (const bus of buses) {
    subscribe({ bus, service: 'members', pool: database.pool }, consumers);
    await bus.start();
  }
});
afterAll(async () => {
  for (const bus of buses) await bus.stop();
  await close();
});

const used = (): EventPayload => ({
  $case: 'actionExecuted',
  value: {
    ...{ executionId: newId(), workspaceId: randomUUID(), integrationName: 'github', actionName: 'create_issue' },
    ...{ source: 'rest', status: 'success', durationMs: 1, connectionId: randomUUID(), userId: randomUUID() },
    ...{ requestId: 'r', usedSandbox: false },
  },
});

const denied = (): EventPayload => ({
  $case: 'auditRecorded',
  value: { action: 'action.execute', actorType: 'system', outcome: 'denied', requestId: 'r' },
});

function toMessage(payload: EventPayload, orgId: string): Message {
  return { key: orgId, value: newEvent(payload, { orgId }).envelope };
}

it('two that take events of the same organizations in opposite order never wait for each other in a circle', async () => {
  const [one, another] = [randomUUID(), randomUUID()].sort() as [string, string];
  const batches = [
    () => [toMessage(denied(), another), toMessage(used(), one)],
    () => [toMessage(denied(), one), toMessage(used(), another)],
    () => [toMessage(used(), another), toMessage(used(), one), toMessage(denied(), one)],
    () => [toMessage(used(), one), toMessage(used(), another), toMessage(denied(), another)],
  ];
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = round % 2 === 0 ? batches.slice(0, 2) : batches.slice(2);
    await Promise.all([buses[0]!.publish(TOPIC, first!()), buses[1]!.publish(TOPIC, second!())]);
  }
  expect(problems).toEqual([]);
  for (const orgId of [one, another])
    expect(await verifyChains(database.pool, orgId)).toMatchObject([{ entries: ROUNDS * 2.5, problems: [] }]);
});
