import { configuredEgress, EGRESS_VARIABLES } from '@drawbridge/egress';
import { type Config, text, type Variables } from '@drawbridge/rpc';
import { KMS_VARIABLES } from './kms-variables.js';
import { kms } from './kms.js';
import { type MasterKeys, openMasterKeys, readMasterKeys } from './master-keys.js';

/** The environment variables of the vault. */
export const MASTER_KEY_VARIABLES = {
  MASTER_KEYS: {
    ...text({
      default: '',
      desc: '`id:base64key[,id:base64key…]`, or `file:/path`: the first encrypts, all decrypt. Generated into DATA_DIR.',
    }),
    isSecret: true,
    isRequired: true,
    check: (keys: string): unknown => readMasterKeys(keys),
  },
  ...KMS_VARIABLES,
  ...EGRESS_VARIABLES,
} satisfies Variables;

/** Opens the configured master keys. Throws an Error that names the first entry that cannot be opened. */
export async function configuredMasterKeys(config: Config<typeof MASTER_KEY_VARIABLES>): Promise<MasterKeys> {
  const entries = readMasterKeys(config.MASTER_KEYS);
  const egress = configuredEgress(config);
  const sources = { kms: kms(config, egress.sendFor('master-keys')) };
  return openMasterKeys(entries, sources).finally(() => egress.close());
}
