import { randomInt } from 'node:crypto';
import { type Product } from '@drawbridge/testkit';
import { openClient } from '../database.js';
import { killBeforeMark, killBeforePublish, type Publisher, PUBLISHERS, untilSome } from '../kill-points.js';
import { type Sink } from './sink.js';

export interface Fault {
  name: string;
  /** Returns the names of the processes that it killed. The caller restarts them. */
  strike(): Promise<string[]>;
}

export interface Struck {
  product: Product;
  sink: Sink;
  sourceIds: string[];
  restartBroker(): Promise<void>;
}

/** A number of concurrent callbacks that spans more than one process. */
const UNDER_WAY = 8;

/** Returns a fault for each point at which a test can observe that a kill interrupts work. The faults of deliveries are first. */
export function faultsOf(its: Struck): Fault[] {
  const others = PUBLISHERS.filter((publisher) => publisher !== 'triggers');
  return [
    { name: 'callbacks answered, not noted', strike: () => beforeNoted(its) },
    ...atEdgesOf('triggers', its),
    { name: 'broker restart', strike: () => its.restartBroker().then(() => []) },
    { name: 'callbacks under way', strike: () => whileUnderWay(its) },
    { name: 'received, not matched', strike: () => whileMatching(its) },
    { name: 'any process', strike: () => anyOf(its.product) },
    ...others.flatMap((publisher) => atEdgesOf(publisher, its)),
    { name: 'all that deliver', strike: () => kill(its.product, replicasOf(its.product, 'triggers')) },
    { name: 'any process', strike: () => anyOf(its.product) },
  ];
}

function atEdgesOf(publisher: Publisher, { product }: Struck): Fault[] {
  const { databaseUrl } = product;
  const at = async (edge: typeof killBeforeMark): Promise<string[]> => {
    let killed: string[] = [];
    const strike = async (name = oneOf(replicasOf(product, publisher))): Promise<void> => {
      killed = await kill(product, [name]);
    };
    await edge({ databaseUrl, publisher, kill: strike });
    return killed;
  };
  return [
    { name: `${publisher}: committed, not published`, strike: () => at(killBeforePublish) },
    { name: `${publisher}: published, not marked`, strike: () => at(killBeforeMark) },
  ];
}

/** Kills a process after the receiver responded and before the delivery is recorded: the rows that record it are locked. */
async function beforeNoted({ product, sink }: Struck): Promise<string[]> {
  const locker = await openClient(product.databaseUrl);
  const release = sink.hold();
  try {
    const eventIds = await sink.held(UNDER_WAY);
    await locker.query('BEGIN');
    await locker.query('SELECT FROM triggers.deliveries WHERE event_id = ANY($1::uuid[]) FOR UPDATE', [eventIds]);
    release();
    return await killWaiting(product, '%UPDATE triggers.deliveries d SET%');
  } finally {
    release();
    await locker.end();
  }
}

/** Kills a process while it matches events: within its transaction, it waits for a locked source. */
async function whileMatching({ product, sourceIds }: Struck): Promise<string[]> {
  const locker = await openClient(product.databaseUrl);
  try {
    await locker.query('BEGIN');
    await locker.query('SELECT FROM triggers.sources WHERE id = ANY($1::uuid[]) FOR UPDATE', [sourceIds]);
    return await killWaiting(product, '%INSERT INTO triggers.events%');
  } finally {
    await locker.end();
  }
}

const WAITING = `
  SELECT application_name AS name FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;

async function killWaiting(product: Product, statement: string): Promise<string[]> {
  const [waiting] = await untilSome<{ name: string }>(product.databaseUrl, WAITING, [statement]);
  return kill(product, [waiting!.name]);
}

async function whileUnderWay({ product, sink }: Struck): Promise<string[]> {
  const release = sink.hold();
  try {
    await sink.held(UNDER_WAY);
    return await kill(product, [oneOf(replicasOf(product, 'triggers'))]);
  } finally {
    release();
  }
}

const anyOf = (product: Product): Promise<string[]> => kill(product, [oneOf(Object.keys(product.processes()))]);

async function kill(product: Product, names: string[]): Promise<string[]> {
  await Promise.all(names.map((name) => product.kill(name)));
  return names;
}

function replicasOf(product: Product, service: string): string[] {
  return Object.keys(product.processes()).filter((name) => name.replace(/-\d+$/, '') === service);
}

const oneOf = (names: string[]): string => names[randomInt(names.length)]!;
