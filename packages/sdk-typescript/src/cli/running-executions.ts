import { type Execution } from '../gen/models.js';

/** Each poll requests at most this many executions, because all requests of an organization share one rate limit. */
const MAX_REQUESTS = 5;

/** Executions that were printed while they ran, and are printed again when they end. */
export class RunningExecutions {
  /** The ids of running executions, in the order in which they are requested next. */
  private readonly ids = new Set<string>();
  /** The ids that the list of the current poll contained as running, so that they need no request of their own. */
  private readonly listed = new Set<string>();
  private readonly done: Execution[] = [];

  /** `get` returns an execution; undefined if it was deleted. */
  constructor(private readonly get: (id: string) => Promise<Execution | undefined>) {}

  add({ id, status }: Execution): void {
    if (status === 'running') this.ids.add(id);
  }

  /** Yields the items of a list unchanged, and records which of the running executions have ended. */
  async *watch(list: AsyncIterable<Execution>): AsyncGenerator<Execution> {
    for await (const one of list) {
      if (one.status === 'running') this.listed.add(one.id);
      else if (this.ids.delete(one.id)) this.done.push(one);
      yield one;
    }
  }

  /** Yields the executions that ended since the last call. Rejects if a request fails; the next call continues with other executions. */
  async *ended(): AsyncGenerator<Execution> {
    yield* this.done.splice(0);
    const due = [...this.ids].filter((id) => !this.listed.has(id)).slice(0, MAX_REQUESTS);
    this.listed.clear();
    for (const id of due) {
      // The id moves to the end of the order, so that each execution is requested in turn.
      this.ids.delete(id);
      this.ids.add(id);
      const one = await this.get(id);
      if (one?.status === 'running') continue;
      this.ids.delete(id);
      if (one) yield one;
    }
  }
}
