import { setTimeout as sleep } from 'node:timers/promises';
import { opener } from './open-secrets.js';

const TTL_MS = 50;
const row = { type: 'SECRET_TEXT', displayName: 'A', generation: 1, version: 'v1', isRenewable: false } as never;
const named = { orgId: 'o', connectionId: 'c' };

/** Returns an opener, and the list of the rows that it decrypted. */
function counted() {
  const asked: string[] = [];
  const open = opener(
    {
      open: (_sealed, { orgId, id }) => {
        asked.push(`${orgId} ${id}`);
        return JSON.stringify({ secretText: `secret of ${orgId} ${id}`, refreshToken: 'hidden' });
      },
    },
    TTL_MS,
  );
  return { asked, open };
}

it('decrypts a credential once, and again after its time', async () => {
  const { asked, open } = counted();
  const first = open(named, row);
  expect(open(named, row)).toEqual(first);
  expect(first.credentialJson).toBe('{"secretText":"secret of o c"}');
  expect(asked).toHaveLength(1);
  await sleep(2 * TTL_MS);
  open(named, row);
  expect(asked).toHaveLength(2);
});

it('decrypts each version and each connection of each organization for itself', () => {
  const { asked, open } = counted();
  open(named, row);
  open(named, { ...(row as object), version: 'v2' } as never);
  expect(open({ ...named, orgId: 'p' }, row).credentialJson).toContain('secret of p c');
  expect(open({ ...named, connectionId: 'd' }, row).credentialJson).toContain('secret of o d');
  expect(asked).toEqual(['o c', 'o c', 'p c', 'o d']);
});

it('returns the present name and generation with a known credential', () => {
  const { asked, open } = counted();
  open(named, row);
  const renamed = { ...(row as object), displayName: 'B', generation: 2 } as never;
  expect(open(named, renamed)).toMatchObject({ displayName: 'B', generation: 2 });
  expect(asked).toHaveLength(1);
});

it('forgets all plaintext on request', () => {
  const { asked, open } = counted();
  open(named, row);
  open.forget();
  open(named, row);
  expect(asked).toHaveLength(2);
});
