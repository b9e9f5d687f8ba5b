// One database server and one product for the whole run; each test file has organizations of its own in it.
import { freePort, SHAPES, startDatabaseServer, startDrawbridge } from '@drawbridge/testkit';
import { startAdminServer } from './admin-server.js';
import { bundles } from './bundles.js';

export default async function setUp() {
  const shape = process.env.SHAPE || 'local';
  if (!SHAPES.includes(shape)) throw new Error(`SHAPE: must be one of ${SHAPES.join(', ')}`);
  const { services, cli, discard } = await bundles(shape);
  const server = await startDatabaseServer();
  process.env.DATABASE_URL = server.url;
  const release = async () => {
    await server.stop();
    discard();
  };

  const providerPort = await freePort();
  const provider = `http://127.0.0.1:${providerPort}`;
  const env = {
    ORIGIN_MAP: JSON.stringify({ 'https://api.github.com': provider, 'https://api.example.com': provider }),
    PUBLIC_RATE_LIMIT: 'null',
    ...(process.env.KAFKA_BROKERS && { KAFKA_BROKERS: process.env.KAFKA_BROKERS }),
  };
  const replicas = { gateway: 2, execution: 2 };
  const product = await startDrawbridge({ shape, env, replicas, services }).catch(async (error) => {
    await release();
    throw error;
  });
  const admin = await startAdminServer();
  const { baseUrl, baseUrls, databaseUrl, kafkaBrokers, logFolder } = product;
  process.env.DRAWBRIDGE_E2E = JSON.stringify({
    shape,
    services,
    cli,
    baseUrl,
    baseUrls,
    databaseUrl,
    adminUrl: admin.url,
    kafkaBrokers,
    logFolder,
    providerPort,
  });
  globalThis.stopDrawbridge = async () => {
    admin.stop();
    const codes = await product.stop();
    await release();
    if (Object.values(codes).some((code) => code !== 0))
      throw new Error(`Exit codes at the end: ${JSON.stringify(codes)}`);
  };
}
