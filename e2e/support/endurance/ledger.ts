/** A callback: its event id, the time of its arrival, and the time of its 2xx response, in milliseconds of the wall clock. */
export interface Arrival {
  eventId: string;
  at: number;
  answeredAt: number;
}

/** An event that a provider sent, with its callbacks. */
export interface Sent {
  orgId: string;
  begunAt: number;
  acknowledgedAt?: number;
  arrivals: Arrival[];
}

/**
 * The time from a fault until all processes have rejoined their consumer groups and every event that was acknowledged before the fault ended has
 * arrived.
 */
export interface FaultWindow {
  name: string;
  from: number;
  until: number;
  /** Names of processes. */
  killed: string[];
}

/** Events by the number that the provider assigned. */
export type Ledger = Map<number, Sent>;

/** The time at which each event was recorded as delivered, by its id. */
export type Noted = Map<string, number>;

/**
 * Maximum number of concurrent deliveries for one organization in one process. If the process dies before it records them, they are delivered again.
 */
const IN_FLIGHT = 20;

/** Violations of the delivery guarantees. All lists are empty if events were delivered correctly. */
export interface Wrong {
  /** Acknowledged, but never delivered. */
  lost: number[];
  /** Delivered as two events: the provider sent the event again because it had no response. */
  twoEvents: number[];
  /** Delivered again after its delivery was recorded. */
  afterNoted: number[];
  /** Delivered again, although no delivering process died between the two deliveries. */
  unexplained: number[];
  /** For each fault: more repeated events of one organization than the killed process delivers concurrently. */
  beyondInFlight: string[];
}

export function wrongOf(ledger: Ledger, noted: Noted, windows: readonly FaultWindow[]): Wrong {
  const deaths = windows.filter(({ killed }) => killed.some((name) => name.startsWith('triggers')));
  const where = (isWrong: (sent: Sent) => boolean): number[] =>
    [...ledger].filter(([, sent]) => isWrong(sent)).map(([id]) => id);
  return {
    lost: where(({ acknowledgedAt, arrivals }) => acknowledgedAt !== undefined && arrivals.length === 0),
    twoEvents: where(({ arrivals }) => new Set(arrivals.map(({ eventId }) => eventId)).size > 1),
    afterNoted: where(({ arrivals }) => arrivals.some(({ eventId, at }) => at > (noted.get(eventId) ?? Infinity))),
    unexplained: where((sent) => repeatsOf(sent).some((repeat) => !deathBefore(repeat, deaths))),
    beyondInFlight: beyondInFlight(ledger, deaths),
  };
}

interface Repeat {
  /** The earlier callback, to which the receiver responded. */
  before: Arrival;
  again: Arrival;
}

/** Returns the callbacks of an event that arrived after the receiver had responded to an earlier callback of it. */
export function repeatsOf({ arrivals }: Sent): Repeat[] {
  const inOrder = arrivals.toSorted((one, other) => one.at - other.at);
  return inOrder.slice(1).flatMap((again, before) => {
    const answered = inOrder[before]!;
    return answered.answeredAt < again.at ? [{ before: answered, again }] : [];
  });
}

/** Returns the last fault that can explain the repetition: a process died after the response and before it recorded the delivery. */
function deathBefore({ before, again }: Repeat, deaths: readonly FaultWindow[]): FaultWindow | undefined {
  return deaths.findLast(({ from, until }) => from <= again.at && before.answeredAt <= until);
}

function beyondInFlight(ledger: Ledger, deaths: readonly FaultWindow[]): string[] {
  const counts = new Map<string, { many: number; most: number }>();
  for (const sent of ledger.values()) {
    for (const death of repeatsOf(sent).flatMap((repeat) => deathBefore(repeat, deaths) ?? [])) {
      const most = IN_FLIGHT * death.killed.filter((name) => name.startsWith('triggers')).length;
      const key = `${death.name} at ${death.from}, ${sent.orgId}`;
      counts.set(key, { most, many: (counts.get(key)?.many ?? 0) + 1 });
    }
  }
  return [...counts].filter(([, { many, most }]) => many > most).map(([key, { many }]) => `${key}: ${many}`);
}
