import type { Job, RunnerOptions, WorkerEvents } from 'graphile-worker';

/** Of one organization, at work at once in one process; where half of the places are taken, one. */
export const SHARE = 5;
/** Of those for one receiver: one that hangs leaves room for others of its organization. */
export const RECEIVER_SHARE = 2;

const RECEIVER = 'to ';

/** What says of a job whose it is and whom it is for. */
export function flagsOf(orgId?: string, receiver?: string): string[] | null {
  const flags = [...(orgId ? [orgId] : []), ...(receiver ? [RECEIVER + receiver] : [])];
  return flags.length > 0 ? flags : null;
}

/** As `flagsOf` has it. */
export function receiverOf(flags: Job['flags']): string | undefined {
  return Object.keys(flags ?? {}).find((flag) => flag.startsWith(RECEIVER));
}

/**
 * Decides when one of the queue's workers asks for a job, and whose jobs it leaves: those of who has a whole share at work wait in the
 * table, and hold no place that another could have. One asks at a time: two at once would both be given the last of a share. After one
 * that found nothing nobody asks until there is news, or time for the next poll. `places`: how many may be at work at once.
 */
export function fairClaims(events: WorkerEvents, { pollMs, places }: Limits): RunnerOptions['forbiddenFlags'] {
  const shares = sharesAtWork(events, places);
  const waiting: (() => void)[] = [];
  let [isAsking, isNews, isOver] = [false, true, false];

  function next(): void {
    if (isOver) for (const ask of waiting.splice(0)) ask();
    if (isAsking || !isNews) return;
    const ask = waiting.shift();
    if (!ask) return;
    [isAsking, isNews] = [true, false];
    ask();
  }

  function onAnswer(isMore: boolean): void {
    isAsking = false;
    isNews ||= isMore;
    next();
  }

  function onNews(): void {
    isNews = true;
    next();
  }

  let poll: NodeJS.Timeout;
  events.on('pool:create', () => (poll = setInterval(onNews, pollMs)));
  for (const event of ['pool:listen:notification', 'job:complete'] as const) events.on(event, onNews);
  events.on('worker:getJob:error', () => onAnswer(false));
  events.on('worker:getJob:empty', () => onAnswer(shares.newRound()));
  events.on('job:start', () => onAnswer(true));
  events.on('pool:gracefulShutdown', () => {
    clearInterval(poll);
    isOver = true;
    next();
  });

  return async () => {
    await new Promise<void>((ask) => {
      waiting.push(ask);
      next();
    });
    return shares.full();
  };
}

interface Limits {
  pollMs: number;
  places: number;
}

/**
 * Counts before anybody else hears of the same event. Where places are scarce they go round: the oldest jobs may all be of those whose jobs
 * take long, and as one of theirs ends the next would take its place, for as long as they have any.
 */
function sharesAtWork(events: WorkerEvents, places: number) {
  const atWork = new Map<string, number>();
  const served = new Set<string>();
  let taken = 0;
  const isScarce = (): boolean => taken >= places / 2;
  const isFull = ([whose, many]: [string, number]): boolean => many >= (isScarce() ? 1 : shareOf(whose));
  const count = ({ flags }: Job, more: number): void => {
    taken += more;
    for (const whose of Object.keys(flags ?? {})) {
      const many = (atWork.get(whose) ?? 0) + more;
      if (many > 0) atWork.set(whose, many);
      else atWork.delete(whose);
      if (more > 0 && isScarce()) served.add(whose);
    }
  };
  events.on('job:start', ({ job }) => count(job, 1));
  events.on('job:complete', ({ job }) => count(job, -1));
  return {
    full(): string[] {
      const full = [...atWork].filter(isFull).map(([whose]) => whose);
      return isScarce() ? [...new Set([...full, ...served])] : full;
    },
    /** Nobody else has a job: who has had their turn may have another one. False: nobody has. */
    newRound(): boolean {
      const isOver = served.size > 0;
      served.clear();
      return isOver;
    },
  };
}

function shareOf(whose: string): number {
  return whose.startsWith(RECEIVER) ? RECEIVER_SHARE : SHARE;
}
