// Starts one database server for the whole run, and the products that the test files share. Each file creates its own organizations.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHAPES, startDatabaseServer, startDrawbridge, startKafka } from '@drawbridge/testkit';
import { migratedDatabase } from '../../scripts/migrated-database.mjs';
import { startAdminServer } from './admin-server.js';
import { bundles } from './bundles.js';
import { newFakes } from './fakes.js';

const REPLICAS = { gateway: 2, execution: 2 };

/**
 * Starts the products. With SHAPE=local, each of jest's `maxWorkers` workers has a separate product, so that no file waits until another file
 * releases the shared fake provider.
 */
export default async function setUp({ maxWorkers }) {
  const shape = process.env.SHAPE || 'local';
  if (!SHAPES.includes(shape)) throw new Error(`SHAPE: must be one of ${SHAPES.join(', ')}`);
  const { bundled, kafka, database, admin } = await openServers(shape);
  const { services, cli } = bundled;
  const { template } = database;
  const products = [];
  const release = async () => {
    const ends = await Promise.all(products.map(({ product }) => product.stop()));
    await admin.stop();
    await database.stop();
    await kafka.stop();
    bundled.discard();
    return ends;
  };

  const start = async () => products.push(await startShared({ shape, services, template, brokers: kafka.brokers }));
  // One product is sufficient for files that run alone, because most of them start their own products.
  const many = shape === 'local' && !process.env.ALONE ? maxWorkers : 1;
  const starts = await Promise.allSettled(Array.from({ length: many }, start));
  const failed = starts.find(({ status }) => status === 'rejected');
  if (failed) {
    await release();
    throw failed.reason;
  }
  const run = { shape, services, cli, template, adminUrl: admin.url };
  process.env.DRAWBRIDGE_E2E = JSON.stringify(products.map(({ product, fakes }) => toShared(run, product, fakes)));
  globalThis.stopDrawbridge = async () => {
    const codes = await release();
    if (codes.some((ends) => Object.values(ends).some((code) => code !== 0)))
      throw new Error(`Exit codes at the end: ${JSON.stringify(codes)}`);
  };
}

/** Starts what the products need, at the same time, because most of these wait for a disk or for a server to start. */
async function openServers(shape) {
  const starts = await Promise.allSettled([bundles(shape), openKafka(shape), openDatabase()]);
  const failed = starts.find(({ status }) => status === 'rejected');
  const [bundled, kafka, database] = starts.map(({ value }) => value);
  if (!failed) return { bundled, kafka, database, admin: await startAdminServer() };
  bundled?.discard();
  await Promise.all([kafka?.stop(), database?.stop()]);
  throw failed.reason;
}

/** Starts a migrated database. */
async function openDatabase() {
  const server = await startDatabaseServer();
  process.env.DATABASE_URL = server.url;
  const { name: template, drop } = await migratedDatabase();
  const stop = async () => {
    await drop();
    await server.stop();
  };
  return { template, stop };
}

/** Starts Kafka, unless the shape needs none or KAFKA_BROKERS is set. */
async function openKafka(shape) {
  if (shape === 'local' || process.env.KAFKA_BROKERS) return { brokers: process.env.KAFKA_BROKERS, stop() {} };
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-kafka-'));
  const { brokers, end } = await startKafka(folder);
  const stop = async () => {
    await end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  return { brokers, stop };
}

async function startShared({ shape, services, template, brokers }) {
  const fakes = await newFakes();
  const env = { ...fakes.env, ...(brokers && { KAFKA_BROKERS: brokers }) };
  return { fakes, product: await startDrawbridge({ shape, env, replicas: REPLICAS, services, template }) };
}

function toShared(run, { baseUrl, baseUrls, databaseUrl, kafkaBrokers, logFolder }, fakes) {
  const providerPort = fakes.ports.provider;
  return { ...run, baseUrl, baseUrls, databaseUrl, kafkaBrokers, logFolder, providerPort, fakes };
}
