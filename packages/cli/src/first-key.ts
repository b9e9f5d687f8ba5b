import { ApiError, hashToken } from '@drawbridge/contracts';
import { KeyVerificationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import type { LocalNetwork } from '@drawbridge/rpc';
import type { AllConfig } from './config-flags.js';
import type { DataDir } from './data-dir.js';

export interface FirstKey {
  plainKey: string;
  /** Returns the key's line of the banner. Shows a generated key once, at the first successful start, and never the operator's own. */
  describe(network: LocalNetwork): Promise<string>;
}

/** Returns the first organization's key: the operator's BOOTSTRAP_API_KEY, or one generated into DATA_DIR. */
export function firstKey(config: AllConfig, dataDir: DataDir): FirstKey {
  if (config.BOOTSTRAP_API_KEY) {
    return { plainKey: config.BOOTSTRAP_API_KEY, describe: async () => 'as given in BOOTSTRAP_API_KEY' };
  }
  const { plainKey, isNew } = dataDir.bootstrapKey();
  const describe = async (network: LocalNetwork): Promise<string> => {
    if (!isNew) return `in ${dataDir.bootstrapFile}`;
    if (await opens(plainKey, network)) {
      dataDir.noteShown();
      return `${plainKey} (kept in ${dataDir.bootstrapFile})`;
    }
    // The database already had organizations when this DATA_DIR was created, so the key does not exist in it.
    dataDir.dropBootstrapKey();
    return 'the database has organizations already; make one with `npm run -s admin -- key create`';
  };
  return { plainKey, describe };
}

async function opens(plainKey: string, network: LocalNetwork): Promise<boolean> {
  const keys = network.for('gateway').client('members', KeyVerificationServiceDefinition);
  try {
    await keys.verifyKey({ keyHash: hashToken(plainKey), lacksChecksum: false });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return false;
    throw error;
  }
}
