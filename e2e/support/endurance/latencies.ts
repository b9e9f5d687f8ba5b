import { type FaultWindow, type Ledger, repeatsOf, type Sent } from './ledger.js';

/** Returns a report of the latencies for the output. Tests do not check latencies, because the machine determines them. */
export function reportOf(ledger: Ledger, windows: readonly FaultWindow[]): string {
  const all = [...ledger.values()];
  const [calm, disturbed] = [all.filter((sent) => !isIn(sent, windows)), all.filter((sent) => isIn(sent, windows))];
  const repeated = all.filter((sent) => repeatsOf(sent).length > 0).length;
  const lastsSeconds = (windows.reduce((sum, { from, until }) => sum + until - from, 0) / 1_000).toFixed(0);
  return [
    `events: ${all.length} sent, ${all.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined).length} acknowledged, ` +
      `${all.filter(({ arrivals }) => arrivals.length > 0).length} delivered, ${repeated} again after they were answered`,
    `outside fault windows: ${quantiles(calm)}`,
    `in ${windows.length} fault windows, ${lastsSeconds} s in all: ${quantiles(disturbed)}`,
    ...windows.map((window) => lineOf(window, all)),
    '',
  ].join('\n');
}

function lineOf(window: FaultWindow, all: readonly Sent[]): string {
  const { name, from, until, killed } = window;
  const seconds = ((until - from) / 1_000).toFixed(1);
  return `  ${name} (${killed.join(', ')}), ${seconds} s: ${quantiles(all.filter((sent) => isIn(sent, [window])))}`;
}

/** Returns whether the event was in transit during one of the windows. */
function isIn({ begunAt, arrivals }: Sent, windows: readonly FaultWindow[]): boolean {
  const arrivedAt = arrivals[0]?.at ?? Infinity;
  return windows.some(({ from, until }) => begunAt <= until && arrivedAt >= from);
}

/** Formats the latencies from the provider's first attempt to the first callback. */
function quantiles(sent: readonly Sent[]): string {
  const all = sent.flatMap(({ begunAt, arrivals: [first] }) => (first ? [first.at - begunAt] : []));
  all.sort((one, other) => one - other);
  const at = (share: number): string => `${all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? '–'}`;
  return `${all.length} events, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}
