import { type SlotRequest } from '@drawbridge/sandbox';
import { type Load, type Release, type TenantLimits, TenantLimiter } from '@drawbridge/turns';
import { waitForSlot } from './wait-for-slot.js';

/**
 * Limits of this process for all organizations, because each container can use one CPU and 512 MiB. Waiting organizations are served in a fair queue.
 */
const MACHINE = { atOnce: 8, waiting: 10_000 };
const ORGANIZATION = { atOnce: 4, waiting: 100 };

/** Returns slots for containers. `acquire` waits for a slot of the organization, and then for a slot of the machine. */
export function containerSlots({
  organization = ORGANIZATION,
  machine = MACHINE,
  maxWaitMs,
}: { organization?: TenantLimits; machine?: TenantLimits; maxWaitMs?: number } = {}): {
  acquire(request: SlotRequest): Promise<Release>;
  load(): Load;
} {
  const [organizations, all] = [new TenantLimiter(organization), new TenantLimiter(machine)];
  const acquire = async ({ organization: orgId, caller }: SlotRequest, signal: AbortSignal): Promise<Release> => {
    const leave = await organizations.acquire(orgId, signal, caller);
    const end = await all.acquire('', signal, orgId).catch((error: unknown) => {
      leave();
      throw error;
    });
    return () => {
      end();
      leave();
    };
  };
  return {
    acquire: (request) =>
      waitForSlot((both) => acquire(request, both), { runs: 'programs', signal: request.signal, maxWaitMs }),
    // A run that waits for a slot of the machine counts only once, although it already has a slot of its organization.
    load: () => ({ running: all.load.running, waiting: organizations.load.waiting + all.load.waiting }),
  };
}
