import type { Job, RunnerOptions, WorkerEvents } from 'graphile-worker';

/** Concurrent jobs of one organization in one process. One while at least half of the slots are in use. */
export const SHARE = 5;
/** Concurrent jobs for one receiver, so that a hung receiver leaves slots for the organization's others. */
export const RECEIVER_SHARE = 2;

const RECEIVER = 'to ';

/** Returns the flags that mark a job with its organization and receiver. */
export function flagsOf(orgId?: string, receiver?: string): string[] | null {
  const flags = [...(orgId ? [orgId] : []), ...(receiver ? [RECEIVER + receiver] : [])];
  return flags.length > 0 ? flags : null;
}

/** Returns the receiver flag that `flagsOf` added. */
export function receiverOf(flags: Job['flags']): string | undefined {
  return Object.keys(flags ?? {}).find((flag) => flag.startsWith(RECEIVER));
}

/**
 * Decides when a worker of the queue claims a job, and which organizations and receivers it skips: jobs beyond a concurrency limit wait in the table
 * and occupy no slot. Workers claim one at a time, because two at once could both take the last slot of a limit. After a claim that found nothing,
 * workers wait for a notification or the next poll. `places`: slots of this process.
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
 * Call it before other listeners are added, so that the counts are current for other listeners of the same event. When slots are scarce,
 * organizations and receivers take them in rounds: otherwise those with the oldest slow jobs would take each freed slot, for as long as they have
 * jobs.
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
    /** Starts a new round when no other jobs are found, so that those already served may run again. Returns false if none was served. */
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
