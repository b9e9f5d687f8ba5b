// All integration tests share one database server, and one bundle of the program, which starts in half the time of the files of the workspace. Each
// test creates separate databases on the server (startDatabaseServer, temporaryDatabase).
import { bundles } from '../e2e/support/bundles.js';
import { startDatabaseServer } from '../packages/testkit/dist/index.js';

export default async function setUp() {
  const [server, { cli, discard }] = await Promise.all([startDatabaseServer(), bundles('local')]);
  process.env.DATABASE_URL = server.url;
  process.env.DRAWBRIDGE_CLI = cli;
  globalThis.stopDatabase = async () => {
    await server.stop();
    discard();
  };
}
