import { SignJWT } from 'jose';
import { callerTokens } from './caller-token.js';
import { type Caller } from './context.js';

const KEY = 'k'.repeat(32);
const WHO: Caller = { orgId: 'org', userId: 'user', permissions: { scope: 'org' }, source: 'rest' };
const REFUSED = { code: 'UNAUTHENTICATED', details: { reason: 'caller_token' } };

const now = (): number => Math.floor(Date.now() / 1_000);

/** Returns a token that is signed with the correct key but has claims that no Drawbridge service would set. */
function forged(claims: Record<string, unknown>, { key = KEY, alg = 'HS256' } = {}): Promise<string> {
  const all = { iss: 'gateway', aud: 'members', iat: now(), exp: now() + 55, caller: WHO, ...claims };
  return new SignJWT(all).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));
}

describe('a caller token', () => {
  const tokens = callerTokens(KEY);
  afterEach(() => import.meta.jest.useRealTimers());

  it('names the caller and the user to the called service', async () => {
    const token = await tokens.sign({ from: 'gateway', to: 'members', caller: WHO });
    expect(await tokens.verify(token, 'members')).toMatchObject({ from: 'gateway', caller: WHO });
    expect(await tokens.verify(token, 'members')).toMatchObject({ from: 'gateway', caller: WHO });
  });

  it('is accepted only by that service, even after it was accepted there', async () => {
    const token = await tokens.sign({ from: 'gateway', to: 'members', caller: WHO });
    await tokens.verify(token, 'members');
    await expect(tokens.verify(token, 'connections')).rejects.toMatchObject(REFUSED);
    expect(await tokens.sign({ from: 'gateway', to: 'connections', caller: WHO })).not.toBe(token);
  });

  it('can have no user', async () => {
    const token = await tokens.sign({ from: 'catalog', to: 'members' });
    expect((await tokens.verify(token, 'members')).caller).toBeUndefined();
  });

  it.each([
    ['without an expiry', { exp: undefined }],
    ['without a time of issue', { iat: undefined }],
    ['that expired more than two minutes ago', { iat: now() - 170, exp: now() - 125 }],
    ['that is older than three minutes, with any expiry', { iat: now() - 181, exp: now() + 3_600 }],
    ['from more than two minutes ahead', { iat: now() + 130, exp: now() + 185 }],
    ['for all services', { aud: 'drawbridge' }],
    ['without an audience', { aud: undefined }],
    ['of an unknown service', { iss: 'postgres' }],
  ])('%s is refused', async (_, claims) => {
    await expect(tokens.verify(await forged(claims), 'members')).rejects.toMatchObject(REFUSED);
  });

  it.each([
    ['two minutes behind', -115],
    ['two minutes ahead', 115],
  ])('of a machine with a clock %s is accepted', async (_, seconds) => {
    const token = await forged({ iat: now() + seconds, exp: now() + seconds + 55 });
    expect(await tokens.verify(token, 'members')).toMatchObject({ from: 'gateway', caller: WHO });
    expect(await tokens.verify(token, 'members')).toMatchObject({ from: 'gateway', caller: WHO });
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['no token', 'x'.repeat(50_000)],
    ['of characters beyond ASCII', '\ud83d😀.é.漢'],
  ])('that is %s is refused', async (_, token) => {
    await expect(tokens.verify(token, 'members')).rejects.toMatchObject(REFUSED);
  });

  it('of another key or algorithm is refused', async () => {
    await expect(tokens.verify(await forged({}, { key: 'f'.repeat(32) }), 'members')).rejects.toMatchObject(REFUSED);
    const other = await forged({}, { key: 'k'.repeat(64), alg: 'HS512' });
    await expect(callerTokens('k'.repeat(64)).verify(other, 'members')).rejects.toMatchObject(REFUSED);
  });

  it('expires three minutes after its creation, even if it was accepted before', async () => {
    import.meta.jest.useFakeTimers({ now: Date.now(), doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const its = callerTokens(KEY);
    const token = await its.sign({ from: 'gateway', to: 'members', caller: WHO });
    const eternal = await forged({ exp: now() + 86_400 });
    for (const one of [token, eternal]) await its.verify(one, 'members');
    import.meta.jest.advanceTimersByTime(170_000);
    for (const one of [token, eternal]) await its.verify(one, 'members');
    import.meta.jest.advanceTimersByTime(10_000);
    for (const one of [token, eternal]) await expect(its.verify(one, 'members')).rejects.toMatchObject(REFUSED);
  });

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('is created again when the clock has stepped %s', async (_, step) => {
    import.meta.jest.useFakeTimers({ now: Date.now(), doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const its = callerTokens(KEY);
    await its.sign({ from: 'gateway', to: 'members', caller: WHO });
    import.meta.jest.setSystemTime(Date.now() + step);
    const token = await its.sign({ from: 'gateway', to: 'members', caller: WHO });
    expect(await its.verify(token, 'members')).toMatchObject({ from: 'gateway', caller: WHO });
  });
});
