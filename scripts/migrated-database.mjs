import * as factories from '../packages/cli/dist/service-factories.js';
import { temporaryDatabase } from '../packages/testkit/dist/index.js';

/** Creates a database on the server of DATABASE_URL, and applies the migrations of every service. Returns its name, and a function that drops it. */
export async function migratedDatabase() {
  const { url, drop } = await temporaryDatabase();
  for (const { openDatabase } of Object.values(factories)) {
    const database = await openDatabase?.(url);
    await database?.close();
  }
  return { name: new URL(url).pathname.slice(1), drop };
}
