import { newId } from '@drawbridge/contracts';
import { memoryVault, SECRETS } from '../testing/memory-vault.js';
import { sharedSecret } from './shared-webhooks.js';

const address = { hookId: 'h', webhookUrl: 'https://gateway.example/h' };

it('takes the secret of a shared webhook from no source that has ended, which keeps an empty one', async () => {
  const [vault, ended, other] = [memoryVault(), newId(), newId()];
  vault.kept.set(ended, { ...SECRETS, hookSecret: '' });
  const found = sharedSecret(vault, newId(), { address, ids: [ended, other] });
  // Adds the secret after the first round of reads, so that the next round finds it.
  await new Promise(setImmediate);
  vault.kept.set(other, SECRETS);
  expect(await found).toBe(SECRETS.hookSecret);
});
