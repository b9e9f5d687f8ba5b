/** What waits, by tenant: whose turn it is goes round, so that nobody waits behind all that another has. */
export class FairQueue<T> {
  private readonly lines = new Map<string, T[]>();

  enqueue(tenant: string, item: T): void {
    const line = this.lines.get(tenant);
    if (line) line.push(item);
    else this.lines.set(tenant, [item]);
  }

  /** The next one, of the tenant whose turn was longest ago. */
  dequeue(): T | undefined {
    const [first] = this.lines;
    if (!first) return undefined;
    const [tenant, line] = first;
    const item = line.shift();
    this.lines.delete(tenant);
    if (line.length > 0) this.lines.set(tenant, line);
    return item;
  }

  remove(tenant: string, item: T): void {
    const left = (this.lines.get(tenant) ?? []).filter((other) => other !== item);
    if (left.length > 0) this.lines.set(tenant, left);
    else this.lines.delete(tenant);
  }

  of(tenant: string): readonly T[] {
    return this.lines.get(tenant) ?? [];
  }
}
