/** Callbacks in flight at once, in one process. Above half of them, only an organization that has none gets one. */
export const MOST = { inAll: 400, bytes: 64 * 1_048_576 };
/** Triggers of one organization that may have all their callbacks in flight; twice as many slots are for triggers that have none. */
const TRIGGERS_OF_ORGANIZATION = 2;

/** A callback that occupies a slot. */
export interface Placed {
  orgId: string;
  sourceId: string;
  bytes: number;
}

interface Own {
  taken: number;
  /** Slots that are reserved for a claim in progress. */
  reserved: number;
  sources: Map<string, number>;
}

/**
 * Assigns the slots of this process to organizations and sources. Calls `tell` with an organization that was refused slots as soon as it may get
 * some.
 */
export class Places {
  private readonly organizations = new Map<string, Own>();
  private readonly held = new Set<string>();
  /** Organizations that wait with no callback in flight whose end could free a slot for them. */
  private readonly starving = new Set<string>();
  private taken = 0;
  private bytes = 0;

  constructor(private readonly tell: (orgId: string) => void) {}

  /** Reserves as many slots as the organization may have, until take() is called. `most`: slots of one trigger, by the plan. */
  reserve(orgId: string, most: number): Share {
    const own = this.organizations.get(orgId);
    const { taken, bytes } = this;
    const share = mayHave({ taken, bytes, own: own ? own.taken + own.reserved : 0, most });
    this.count(orgId, 'reserved', share.many);
    return share;
  }

  /** Occupies slots for the claimed callbacks and releases the reservation. */
  take(orgId: string, reserved: number, found: readonly Placed[]): void {
    for (const placed of found) this.add(placed, 1);
    this.count(orgId, 'reserved', -reserved);
  }

  release(placed: Placed): void {
    this.add(placed, -1);
    const [first] = this.starving;
    if (first !== undefined && this.starving.delete(first)) this.tell(first);
    if (this.held.delete(placed.orgId)) this.tell(placed.orgId);
  }

  /** Returns the slots that each source of an organization occupies. */
  busy(orgId: string): ReadonlyMap<string, number> {
    return this.organizations.get(orgId)?.sources ?? new Map();
  }

  /**
   * Registers that the organization has more to send than slots. It is notified when one of its own callbacks ends or, if it has none in flight, when
   * any callback ends.
   */
  holdBack(orgId: string): void {
    if (this.busy(orgId).size > 0) this.held.add(orgId);
    else this.starving.add(orgId);
  }

  private add({ orgId, sourceId, bytes }: Placed, more: 1 | -1): void {
    const own = this.count(orgId, 'taken', more);
    const many = (own.sources.get(sourceId) ?? 0) + more;
    if (many > 0) own.sources.set(sourceId, many);
    else own.sources.delete(sourceId);
    this.bytes += more * bytes;
  }

  private count(orgId: string, what: 'taken' | 'reserved', more: number): Own {
    const own = this.organizations.get(orgId) ?? { taken: 0, reserved: 0, sources: new Map() };
    own[what] += more;
    this.taken += more;
    if (own.taken + own.reserved > 0) this.organizations.set(orgId, own);
    else this.organizations.delete(orgId);
    return own;
  }
}

export interface Share {
  /** Slots that the organization may take now. */
  many: number;
  /** Limits the slots of one trigger, including those that it occupies. */
  ofSource: number;
  /** True if more slots are free for triggers that occupy none. */
  hasReserve: boolean;
}

interface State {
  taken: number;
  bytes: number;
  own: number;
  most: number;
}

/** Computes the slots that an organization may take. When slots are scarce, an organization or a trigger that occupies one waits until it is free. */
export function mayHave({ taken, bytes, own, most }: State): Share {
  if (taken >= MOST.inAll || bytes >= MOST.bytes) return { many: 0, ofSource: 0, hasReserve: false };
  if (taken >= MOST.inAll / 2 || bytes >= MOST.bytes / 2)
    return { many: own === 0 ? 1 : 0, ofSource: 1, hasReserve: false };
  const half = TRIGGERS_OF_ORGANIZATION * most;
  const hasReserve = own < half;
  const [limit, ofSource] = hasReserve ? [half, most] : [2 * half, 1];
  return { many: Math.max(0, Math.min(limit - own, MOST.inAll / 2 - taken)), ofSource, hasReserve };
}
