// One database server for all integration tests: each takes databases of its own there (startDatabaseServer, temporaryDatabase).
import { startDatabaseServer } from '../packages/testkit/dist/index.js';

export default async function setUp() {
  const server = await startDatabaseServer();
  process.env.DATABASE_URL = server.url;
  globalThis.stopDatabase = server.stop;
}
