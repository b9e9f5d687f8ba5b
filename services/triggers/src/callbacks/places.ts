/** Callbacks on their way at once, in one process. Where half of the places are taken, an organization has one. */
export const MOST = { inAll: 200, ofOrganization: 20, ofSource: 2, bytes: 64 * 1_048_576 };

/** What takes a place. */
export interface Placed {
  orgId: string;
  sourceId: string;
  bytes: number;
}

interface Own {
  taken: number;
  /** For what is being looked for. */
  reserved: number;
  sources: Map<string, number>;
}

/** Who may send how much, now. Who has more to send is told when that may have changed. */
export class Places {
  private readonly organizations = new Map<string, Own>();
  private readonly held = new Set<string>();
  /** Of these nothing is under way whose end they could wait for. */
  private readonly starving = new Set<string>();
  private taken = 0;
  private bytes = 0;

  constructor(private readonly tell: (orgId: string) => void) {}

  /** Sets aside as many as the organization may have, until they are taken. */
  reserve(orgId: string): number {
    const own = this.organizations.get(orgId);
    const { taken, bytes } = this;
    const many = mayHave({ taken, bytes, own: own ? own.taken + own.reserved : 0 });
    this.count(orgId, 'reserved', many);
    return many;
  }

  /** For what was found with those that were reserved. */
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

  /** How many places each of an organization's sources has. */
  busy(orgId: string): ReadonlyMap<string, number> {
    return this.organizations.get(orgId)?.sources ?? new Map();
  }

  /** The organization has more to send than it may: it is told when one of its places, or else of anybody's, is given back. */
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

/** Where places are scarce they go round: whoever has one waits for its end. */
export function mayHave({ taken, bytes, own }: { taken: number; bytes: number; own: number }): number {
  if (taken >= MOST.inAll || bytes >= MOST.bytes) return 0;
  if (taken >= MOST.inAll / 2 || bytes >= MOST.bytes / 2) return own === 0 ? 1 : 0;
  return Math.max(0, Math.min(MOST.ofOrganization - own, MOST.inAll / 2 - taken));
}
