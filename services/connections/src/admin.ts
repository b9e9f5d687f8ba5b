import { connections } from './index.js';
import { readMasterKeys } from './master-keys.js';
import { type Rotation, rotateMaster } from './rotate-master.js';

/** What an operator does with the vault from the command line, whether the product runs or not. */
export async function rotateMasterKey(
  { databaseUrl, masterKeys }: { databaseUrl: string; masterKeys: string },
  tell: (line: string) => void,
): Promise<Rotation> {
  const masters = readMasterKeys(masterKeys);
  const database = await connections.openDatabase(databaseUrl);
  return rotateMaster(database.pool, masters, tell).finally(() => database.close());
}
