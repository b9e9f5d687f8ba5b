/** A number that operators monitor. A label must have few possible values, so it never contains an id. */
export interface Metric {
  /** Begins with `drawbridge_` and has its unit at the end. */
  name: string;
  help: string;
  type: 'gauge' | 'counter' | 'histogram';
  read(): readonly Sample[] | Promise<readonly Sample[]>;
}

export interface Sample {
  /** Appended to the name of the metric, for the parts of a histogram. */
  suffix?: '_bucket' | '_sum' | '_count';
  labels?: Labels;
  value: number;
}

/** Returns a metric of a pool with a limited number of slots: the slots in use, and the requests that wait for a slot. */
export function slotMetric(
  labels: { service: string; pool: string },
  load: () => { running: number; waiting: number },
): Metric {
  return {
    name: 'drawbridge_slots',
    help: 'Slots in use, and requests that wait for one, by pool.',
    type: 'gauge',
    read() {
      const { running, waiting } = load();
      return [
        { labels: { ...labels, state: 'running' }, value: running },
        { labels: { ...labels, state: 'waiting' }, value: waiting },
      ];
    },
  };
}

export type Labels = Readonly<Record<string, string>>;

/** Receives the values that a histogram records, in seconds. */
type Recorder = (seconds: number, labels: Labels) => void;

interface Row {
  labels: Labels;
  /** The number of values in each bucket: above the previous bound, and at most its own bound. */
  counts: number[];
  sum: number;
  count: number;
}

/**
 * Counts durations by labels. Recording a value takes 0.4 µs, and each call records several. The histogram of the OpenTelemetry SDK takes 2.7 µs, so
 * it receives the values only if a collector is configured.
 */
export class DurationHistogram implements Metric {
  readonly type = 'histogram';
  private readonly rows = new Map<string, Row>();
  private forward: Recorder | undefined;

  constructor(
    readonly name: string,
    readonly help: string,
    /** Upper bounds of the buckets in seconds, ascending. */
    readonly bounds: readonly number[],
  ) {}

  /** The labels must always have the same names in the same order. */
  record(seconds: number, labels: Labels): void {
    let key = '';
    for (const name in labels) key += `${labels[name]}\n`;
    let row = this.rows.get(key);
    if (!row) this.rows.set(key, (row = { labels, counts: this.bounds.map(() => 0), sum: 0, count: 0 }));
    const bucket = this.bounds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) row.counts[bucket]!++;
    row.sum += seconds;
    row.count++;
    this.forward?.(seconds, labels);
  }

  forwardTo(recorder: Recorder): void {
    this.forward = recorder;
  }

  read(): Sample[] {
    return [...this.rows.values()].flatMap(({ labels, counts, sum, count }) => {
      let below = 0;
      const buckets = this.bounds.map((bound, index): Sample => {
        below += counts[index]!;
        return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: below };
      });
      return [
        ...buckets,
        { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
        { suffix: '_sum', labels, value: sum },
        { suffix: '_count', labels, value: count },
      ];
    });
  }
}
