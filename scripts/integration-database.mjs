// All integration tests share one database server. Each test creates separate databases on it (startDatabaseServer, temporaryDatabase).
import { startDatabaseServer } from '../packages/testkit/dist/index.js';

export default async function setUp() {
  const server = await startDatabaseServer();
  process.env.DATABASE_URL = server.url;
  globalThis.stopDatabase = server.stop;
}
