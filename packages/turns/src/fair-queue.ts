/** A queue that serves tenants round-robin, so that a tenant with many items does not delay other tenants. */
export class FairQueue<T> {
  private readonly lines = new Map<string, Set<T>>();
  private count = 0;

  /** Returns the number of items of all tenants. */
  get size(): number {
    return this.count;
  }

  /** Adds an item. An item is queued at most once. */
  enqueue(tenant: string, item: T): void {
    const line = this.lines.get(tenant);
    if (line?.has(item)) return;
    if (line) line.add(item);
    else this.lines.set(tenant, new Set([item]));
    this.count++;
  }

  /** Removes and returns the next item. It belongs to the tenant that was served longest ago, among the tenants for which `mayTake` returns true. */
  dequeue(mayTake: (tenant: string) => boolean = () => true): T | undefined {
    for (const [tenant, line] of this.lines) {
      if (!mayTake(tenant)) continue;
      const [item] = line;
      this.remove(tenant, item!);
      if (this.lines.delete(tenant)) this.lines.set(tenant, line);
      return item;
    }
    return undefined;
  }

  remove(tenant: string, item: T): void {
    const line = this.lines.get(tenant);
    if (!line?.delete(item)) return;
    this.count--;
    if (line.size === 0) this.lines.delete(tenant);
  }

  of(tenant: string): readonly T[] {
    return [...(this.lines.get(tenant) ?? [])];
  }

  /** Returns the tenant with the most items. If several have the same number, returns the tenant that would be served last. */
  longest(): string | undefined {
    const [first, ...others] = [...this.lines].map(([tenant, { size }]) => ({ tenant, size }));
    return first && others.reduce((long, other) => (other.size >= long.size ? other : long), first).tenant;
  }
}
