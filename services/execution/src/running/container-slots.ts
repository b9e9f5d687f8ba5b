import { QueueFullError, type Release, slotRefused, TenantLimiter } from '@drawbridge/turns';

/** Each container may use a whole processor and 512 MiB. The waiting runs of one organization take turns with those of others. */
const MACHINE = { atOnce: 8, waiting: 10_000 };
const ORGANIZATION = { atOnce: 4, waiting: 100 };
/** The wait for a slot, and the run after it, must end within the time limit of the caller's request. */
const MAX_WAIT_MS = 10_000;
const RETRY_SECONDS = 5;
const FULL = `Too many programs are under way. Try again in ${RETRY_SECONDS} s`;

export interface SlotRequest {
  organization: string;
  /** Callers of one organization take turns. */
  caller?: string;
  signal?: AbortSignal;
}

/** Returns the function that waits for a slot of the organization, and then for one of the machine. */
export function containerSlots({ organization = ORGANIZATION, machine = MACHINE, maxWaitMs = MAX_WAIT_MS } = {}): (
  request: SlotRequest,
) => Promise<Release> {
  const [organizations, all] = [new TenantLimiter(organization), new TenantLimiter(machine)];
  return async ({ organization: orgId, caller, signal }) => {
    const waited = AbortSignal.timeout(maxWaitMs);
    const both = signal ? AbortSignal.any([signal, waited]) : waited;
    const refuse = (error: unknown): never => {
      const isLate = waited.aborted && !signal?.aborted;
      throw slotRefused(isLate ? new QueueFullError('The wait was too long') : error, FULL, RETRY_SECONDS);
    };
    const leave = await organizations.acquire(orgId, both, caller).catch(refuse);
    const end = await all.acquire('', both, orgId).catch((error: unknown) => {
      leave();
      return refuse(error);
    });
    return () => {
      end();
      leave();
    };
  };
}
