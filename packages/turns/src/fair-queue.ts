/** What waits, by tenant: whose turn it is goes round, so that nobody waits behind all that another has. */
export class FairQueue<T> {
  private readonly lines = new Map<string, Set<T>>();
  private count = 0;

  /** Of all tenants. */
  get size(): number {
    return this.count;
  }

  /** An item waits once. */
  enqueue(tenant: string, item: T): void {
    const line = this.lines.get(tenant);
    if (line) line.add(item);
    else this.lines.set(tenant, new Set([item]));
    this.count++;
  }

  /** The next one, of the tenant whose turn was longest ago. */
  dequeue(): T | undefined {
    const [first] = this.lines;
    if (!first) return undefined;
    const [tenant, line] = first;
    const [item] = line;
    this.remove(tenant, item!);
    if (this.lines.delete(tenant)) this.lines.set(tenant, line);
    return item;
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

  /** Whose line is the longest; of several who came last. */
  longest(): string | undefined {
    const [first, ...others] = [...this.lines].map(([tenant, { size }]) => ({ tenant, size }));
    return first && others.reduce((long, other) => (other.size >= long.size ? other : long), first).tenant;
  }
}
