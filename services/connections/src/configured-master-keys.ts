import { configuredEgress, EGRESS_VARIABLES } from '@drawbridge/egress';
import { type Config, text, type Variables } from '@drawbridge/rpc';
import { KMS_VARIABLES } from './kms-variables.js';
import { kms } from './kms.js';
import { type MasterKeys, openMasterKeys, readMasterKeys } from './master-keys.js';

/** What the vault reads of the environment. */
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

/** The master keys as the operator configured them. Throws an Error that names the entry that can't be had. */
export async function configuredMasterKeys(config: Config<typeof MASTER_KEY_VARIABLES>): Promise<MasterKeys> {
  const entries = readMasterKeys(config.MASTER_KEYS);
  const egress = configuredEgress(config);
  const sources = { kms: kms(config, egress.sendFor('master-keys')) };
  return openMasterKeys(entries, sources).finally(() => egress.close());
}
