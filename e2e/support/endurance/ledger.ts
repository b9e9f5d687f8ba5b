/** A callback as it came: under which id, and when it was answered, with 2xx. Milliseconds of the wall clock. */
export interface Arrival {
  eventId: string;
  at: number;
  answeredAt: number;
}

/** What a third party sent, and what became of it. */
export interface Sent {
  orgId: string;
  begunAt: number;
  acknowledgedAt?: number;
  arrivals: Arrival[];
}

/** From the first stroke until all is ready again and in its consumer groups, and all that was acknowledged until then has arrived. */
export interface FaultWindow {
  name: string;
  from: number;
  until: number;
  /** Processes. */
  killed: string[];
}

/** By the number that the third party gave each. */
export type Ledger = Map<number, Sent>;

/** When each event was noted as delivered, by its id. */
export type Noted = Map<string, number>;

/** The most at work at once for one organization in one process: what dies with it before it is noted is told once more. */
const IN_FLIGHT = 20;

/** What must not be. Each list is empty where the events came as they should. */
export interface Wrong {
  /** Acknowledged, and never told. */
  lost: number[];
  /** Told as two events: its third party sent it again, for it had no answer. */
  twoEvents: number[];
  /** Told once more after it was noted that it had arrived. */
  afterNoted: number[];
  /** Told once more, and none that delivers had died between. */
  unexplained: number[];
  /** More of one organization than one process has in flight, by the fault that it died of. */
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
  /** What had been answered before. */
  before: Arrival;
  again: Arrival;
}

/** How often an event came although it had been answered. */
export function repeatsOf({ arrivals }: Sent): Repeat[] {
  const inOrder = arrivals.toSorted((one, other) => one.at - other.at);
  return inOrder.slice(1).flatMap((again, before) => {
    const answered = inOrder[before]!;
    return answered.answeredAt < again.at ? [{ before: answered, again }] : [];
  });
}

/** The last of which it may have come: the process that had been answered died, and so it was not noted. */
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
