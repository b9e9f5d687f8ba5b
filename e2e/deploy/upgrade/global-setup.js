// Starts two processes of each service on one database and one Kafka, the first of the previous version and the second of this one, as in the middle of
// a rolling upgrade. A service sends its calls to both processes of another service. The test files get them as one product: its requests go to the
// gateways of the two versions in turn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '@drawbridge/contracts';
import { freePort, newSecrets, startDatabaseServer, startDrawbridge, startKafka } from '@drawbridge/testkit';
import { prepareKafka } from '../../../scripts/prepare-kafka.mjs';
import { preparePrevious } from '../../../scripts/prepare-previous.mjs';
import { startAdminServer } from '../../support/admin-server.js';
import { alternate } from './alternate.js';

const TWO_OF_EACH = Object.fromEntries(SERVICES.map((name) => [name, 2]));

export default async function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-upgrade-'));
  const stops = [() => rmSync(folder, { recursive: true, force: true })];
  globalThis.stopDrawbridge = async () => {
    for (const stop of stops.reverse()) await stop();
  };
  try {
    const previous = await preparePrevious();
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
    await startOnce({ env, cli: join(previous, 'packages/cli/dist/main.js') });
    const firstReplicas = join(previous, 'services');
    const started = await startDrawbridge({ shape: 'processes', env, replicas: TWO_OF_EACH, firstReplicas });
    stops.push(() => started.stop());
    balancer.targets.push(...started.baseUrls);
    const admin = await startAdminServer();
    stops.push(() => admin.stop());
    const product = { shape: 'processes', baseUrl: balancer.url, baseUrls: balancer.targets, databaseUrl: server.url };
    const place = { adminUrl: admin.url, kafkaBrokers: kafka.brokers, logFolder: folder, providerPort };
    process.env.DRAWBRIDGE_E2E = JSON.stringify([{ ...product, ...place }]);
  } catch (error) {
    await globalThis.stopDrawbridge();
    throw error;
  }
}

/** Creates the tables of the previous version, so that this version migrates a database that an installation has. */
async function startOnce(options) {
  const product = await startDrawbridge({ shape: 'kafka', ...options });
  await product.stop();
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
