// Starts the previous version and then this one on the same database, as a rolling upgrade does, and passes them to the test files as one product: each
// request goes to the other version than the one before.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, newSecrets, startDatabaseServer, startDrawbridge, startKafka } from '@drawbridge/testkit';
import { prepareKafka } from '../../../scripts/prepare-kafka.mjs';
import { preparePrevious } from '../../../scripts/prepare-previous.mjs';
import { startAdminServer } from '../../support/admin-server.js';
import { alternate } from './alternate.js';

export default async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-upgrade-'));
  const stops = [() => rmSync(folder, { recursive: true, force: true })];
  globalThis.stopDrawbridge = async () => {
    for (const stop of stops.reverse()) await stop();
  };
  try {
    const cli = await preparePrevious();
    await prepareKafka(freePort);
    const server = await startDatabaseServer();
    stops.push(() => server.stop());
    process.env.DATABASE_URL = server.url;
    const kafka = await startKafka(folder);
    stops.push(() => kafka.end('SIGTERM'));
    const balancer = await alternate();
    stops.push(() => balancer.stop());
    const providerPort = await freePort();
    const env = environment({ server, kafka, balancer, providerPort });
    for (const version of [{ cli }, {}]) {
      const product = await startDrawbridge({ shape: 'kafka', env, ...version });
      stops.push(() => product.stop());
      balancer.targets.push(product.baseUrl);
    }
    const admin = await startAdminServer();
    stops.push(() => admin.stop());
    const product = { shape: 'kafka', baseUrl: balancer.url, baseUrls: balancer.targets, databaseUrl: server.url };
    const place = { adminUrl: admin.url, kafkaBrokers: kafka.brokers, logFolder: folder, providerPort };
    process.env.DRAWBRIDGE_E2E = JSON.stringify([{ ...product, ...place }]);
  } catch (error) {
    await globalThis.stopDrawbridge();
    throw error;
  }
}

function environment({ server, kafka, balancer, providerPort }) {
  const provider = `http://127.0.0.1:${providerPort}`;
  return {
    ...newSecrets(),
    BASE_URL: balancer.url,
    DATABASE_URL: server.url,
    KAFKA_BROKERS: kafka.brokers,
    KAFKA_PREFIX: 'upgrade.',
    ORIGIN_MAP: JSON.stringify({ 'https://api.github.com': provider, 'https://api.example.com': provider }),
    EGRESS_ALLOW: '127.0.0.1',
    PUBLIC_RATE_LIMIT: 'null',
  };
}
