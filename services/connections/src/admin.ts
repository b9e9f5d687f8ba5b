import { type Config } from '@drawbridge/rpc';
import { connections } from './index.js';
import { configuredMasterKeys, type MASTER_KEY_VARIABLES } from './master-keys.js';
import { rotateMaster, type Rotation } from './rotate-master.js';

export { MASTER_KEY_VARIABLES, weakMasterKeys } from './master-keys.js';

/** Encrypts all data keys with the first master key, for an operator command. Works while the product is running and while it is stopped. */
export async function rotateMasterKey(
  { databaseUrl, config }: { databaseUrl: string; config: Config<typeof MASTER_KEY_VARIABLES> },
  tell: (line: string) => void,
): Promise<Rotation> {
  const masters = await configuredMasterKeys(config);
  const database = await connections.openDatabase(databaseUrl);
  return rotateMaster(database.pool, masters, tell).finally(() => database.close());
}
