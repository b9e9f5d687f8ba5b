import { runInContext } from '@drawbridge/rpc';
import { sandboxQuota } from './action-quota.js';

const WHO = { orgId: 'o', planVersion: 0 };

/** Returns a fake members service with a limit. `onAsked` is called during each lease request. */
function members(limit: number, onAsked: () => void) {
  let leased = 0;
  return {
    leaseActions: async ({ wanted }: { wanted: number }) => {
      await new Promise(setImmediate);
      onAsked();
      const actions = Math.min(wanted, limit - leased);
      leased += actions;
      return { limit, used: leased, actions, leaseId: actions > 0 ? 'l' : undefined, planVersion: 0 };
    },
    returnActions: async () => ({}),
  };
}

const inRequest = <T>(work: () => Promise<T>): Promise<T> =>
  runInContext({ caller: WHO, signal: new AbortController().signal, deadline: Date.now() + 10_000 } as never, work);

it.each(['fails', 'is granted'])('keeps a run that is restored while a lease request %s', async (how) => {
  let onAsked = (): void => undefined;
  const quota = sandboxQuota(members(how === 'fails' ? 1 : 2, () => onAsked()) as never, {} as never);
  await inRequest(async () => {
    const leaseId = await quota.take(WHO);
    onAsked = () => quota.restore('o', leaseId);
    const next = quota.take(WHO);
    if (how === 'fails') await expect(next).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    else await next;
    onAsked = () => undefined;
    expect(await quota.take(WHO)).toBe('l');
    await expect(quota.take(WHO)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });
});
