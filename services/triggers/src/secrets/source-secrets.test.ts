import { openedSecrets } from './source-secrets.js';

const source = { id: 's', orgId: 'o' };

/** A vault that stores one secret and counts the calls. */
function vaultOf(secret: string) {
  const kept = { hookSecret: secret, asked: 0 };
  const openSourceSecrets = async () => {
    kept.asked++;
    return { secretsJson: JSON.stringify({ hookSecret: kept.hookSecret }) };
  };
  return { kept, opened: openedSecrets({ openSourceSecrets }) };
}

it('asks the vault once for many', async () => {
  const { kept, opened } = vaultOf('one');
  await Promise.all([opened.open(source), opened.open(source)]);
  expect(await opened.open(source)).toEqual({ hookSecret: 'one' });
  expect(kept.asked).toBe(1);
});

it('asks again for what may have been replaced, and knows it from then on', async () => {
  const { kept, opened } = vaultOf('one');
  await opened.open(source);
  kept.hookSecret = 'other';
  expect((await opened.open(source)).hookSecret).toBe('one');
  expect((await opened.reopen(source)).hookSecret).toBe('other');
  expect((await opened.open(source)).hookSecret).toBe('other');
});

it('calls the vault at most twice for many unsigned requests', async () => {
  const { kept, opened } = vaultOf('one');
  for (let many = 0; many < 5; many++) {
    await opened.open(source);
    await opened.reopen(source);
  }
  expect(kept.asked).toBe(2);
});
