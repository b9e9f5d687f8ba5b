import { type Metric } from '@drawbridge/rpc';

interface Refusal extends Record<string, string> {
  /** The kind of work. */
  kind: string;
  limit: string;
  code: string;
}

/** Counts the requests that limits refused in this process. */
export class Refusals {
  private readonly counts = new Map<string, { labels: Refusal; value: number }>();

  readonly metric: Metric = {
    name: 'drawbridge_gateway_requests_refused_total',
    help: 'Requests that this gateway refused by a limit, or that left while they waited for a slot.',
    type: 'counter',
    read: () => [...this.counts.values()],
  };

  count(labels: Refusal): void {
    const key = Object.values(labels).join();
    this.counts.set(key, { labels, value: 1 + (this.counts.get(key)?.value ?? 0) });
  }
}
