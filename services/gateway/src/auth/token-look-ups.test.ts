import { ApiError, newApiKey } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { keyHolders } from './token-look-ups.js';

const HOLDER: KeyHolder = {
  ...{ orgId: 'org', keyId: 'key', sessionId: '', userId: 'user', permissions: undefined },
  planVersion: 1,
};
const NO_SUCH_KEY = new ApiError('UNAUTHENTICATED', 'No such key', { details: { reason: 'no_such_key' } });
const free = () => (): void => undefined;

/** A fake members service that records its look-ups. */
function members(answer: () => Promise<KeyHolder>) {
  const asked: string[] = [];
  const suspected: boolean[] = [];
  const verifyKey = ({ keyHash, lacksChecksum }: { keyHash: string; lacksChecksum: boolean }): Promise<KeyHolder> => {
    asked.push(keyHash);
    suspected.push(lacksChecksum);
    return answer();
  };
  return { asked, suspected, holders: keyHolders({ verifyKey }) };
}

const knowing = () => members(async () => HOLDER);
const knowingNone = () => members(async () => Promise.reject(NO_SUCH_KEY));

describe('a key', () => {
  it('is asked about once in a while, by however many', async () => {
    const { asked, holders } = knowing();
    const key = newApiKey();
    const found = await Promise.all(Array.from({ length: 20 }, () => holders.find(key, free)));
    expect(found).toEqual(Array(20).fill(HOLDER));
    expect(await holders.find(key, free)).toBe(HOLDER);
    expect(asked).toHaveLength(1);
  });

  it('that opens nothing is asked about once in a while, and counted once', async () => {
    const { asked, holders } = knowingNone();
    const key = newApiKey();
    let counted = 0;
    const find = () =>
      holders.find(key, () => {
        counted += 1;
        return () => void (counted -= 1);
      });
    expect(await Promise.all(Array.from({ length: 20 }, find))).toEqual(Array(20).fill(undefined));
    expect(await find()).toBeUndefined();
    expect({ asked: asked.length, counted }).toEqual({ asked: 1, counted: 1 });
  });

  it('is not looked up after the limit of unknown tokens, unless it was valid recently', async () => {
    const { asked, holders } = knowing();
    const [known, unknown] = [newApiKey(), newApiKey()];
    await holders.find(known, free);
    const never = (): never => {
      throw new ApiError('RATE_LIMITED', 'Too many');
    };
    expect(await holders.find(known, never)).toBe(HOLDER);
    await expect(holders.find(unknown, never)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(asked).toHaveLength(1);
  });

  it.each(['', 'x', 'svc_short', `svc_${'0'.repeat(46)}\u00e9`, `svc_${'0'.repeat(8_000)}`])(
    'that can be none is not asked about: %s',
    async (key) => {
      const { asked, holders } = knowing();
      expect(await holders.find(key, free)).toBeUndefined();
      expect(asked).toEqual([]);
    },
  );

  it('is asked about with whether it can be one of ours', async () => {
    const { suspected, holders } = knowing();
    const key = newApiKey();
    for (const one of [key, `${key.slice(0, -1)}${key.endsWith('0') ? 1 : 0}`, `svc_${'a'.repeat(46)}`, `${key}0`])
      await holders.find(one, free);
    expect(suspected).toEqual([false, true, true, true]);
  });

  it('that could not be asked about is asked about again', async () => {
    const { asked, holders } = members(async () => Promise.reject(new ApiError('UNAVAILABLE', 'Away')));
    const key = newApiKey();
    await expect(holders.find(key, free)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(holders.find(key, free)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(asked).toHaveLength(2);
  });
});
