/** The organization of a job, and the receiver or provider that it calls. */
export interface Target {
  orgId: string;
  target: string;
}

/** The organization or target of a job that specifies none. No separate limit applies to it. */
export const NONE = '*';

/** Maximum number of concurrent jobs of one organization, and of one of its targets. */
export interface Share {
  organization: number;
  target: number;
}

/** Limits the concurrent jobs of one process. */
export interface Limits {
  process: number;
  /** Maximum number of bytes that running jobs use in memory. */
  bytes?: number;
  of(orgId: string): Share | Promise<Share>;
}

/** Counts the running jobs of this process, and determines how many further jobs an organization and its target may run. */
export class Slots {
  private readonly organizations = new Map<string, { limit: number; targets: Map<string, number> }>();
  private used = 0;
  private bytes = 0;

  constructor(private readonly limits: Pick<Limits, 'process' | 'bytes'>) {}

  get isFull(): boolean {
    return this.used >= this.limits.process || this.bytes >= (this.limits.bytes ?? Infinity);
  }

  /** When half of all slots are in use, an organization that occupies a slot gets no further slot. */
  private get isScarce(): boolean {
    return this.used >= this.limits.process / 2 || this.bytes >= (this.limits.bytes ?? Infinity) / 2;
  }

  /** Returns the organizations that get no further slot for any target. */
  get fullOrganizations(): string[] {
    const isFull = ([orgId, { limit }]: [string, { limit: number }]): boolean =>
      orgId !== NONE && (this.isScarce || this.ownOf(orgId) >= limit);
    return [...this.organizations].filter(isFull).map(([orgId]) => orgId);
  }

  /**
   * Takes as many slots as the target may have, up to the number of slots left, and returns their number. `most` is the limit of the circuit breaker
   * for the target.
   */
  take({ orgId, target }: Target, share: Share, most = Infinity): number {
    const its = this.organizations.get(orgId)?.targets.get(target) ?? 0;
    const many = Math.max(0, Math.min(this.available({ orgId, target }, its, share), most - its));
    if (many === 0) return 0;
    this.add({ orgId, target }, many);
    this.organizations.get(orgId)!.limit = share.organization;
    return many;
  }

  release(of: Target, many = 1): void {
    if (many > 0) this.add(of, -many);
  }

  /** Adds the bytes of a job that begins. The value is negative for a job that completes. */
  addBytes(bytes: number): void {
    this.bytes += bytes;
  }

  /** The second half of an organization's slots is reserved for targets that occupy no slot. */
  private available({ orgId, target }: Target, its: number, share: Share): number {
    const left = this.isFull ? 0 : this.limits.process - this.used;
    if (orgId === NONE) return target === NONE ? left : Math.min(left, share.target - its);
    const own = this.ownOf(orgId);
    if (this.isScarce) return Math.min(1, share.organization, left) - own;
    const leftOfHalf = Math.ceil(this.limits.process / 2) - this.used;
    if (target === NONE) return Math.min(share.organization - own, leftOfHalf);
    const half = Math.ceil(share.organization / 2);
    const [limit, ofTarget] = own < half ? [half, share.target] : [share.organization, 1];
    return Math.min(limit - own, ofTarget - its, leftOfHalf);
  }

  private ownOf(orgId: string): number {
    return [...(this.organizations.get(orgId)?.targets.values() ?? [])].reduce((sum, many) => sum + many, 0);
  }

  private add({ orgId, target }: Target, more: number): void {
    const own = this.organizations.get(orgId) ?? { limit: Infinity, targets: new Map<string, number>() };
    const its = (own.targets.get(target) ?? 0) + more;
    if (its > 0) own.targets.set(target, its);
    else own.targets.delete(target);
    if (own.targets.size > 0) this.organizations.set(orgId, own);
    else this.organizations.delete(orgId);
    this.used += more;
  }
}
