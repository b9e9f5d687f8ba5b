/** Length of a time slice. An organization with more to deliver continues after the others. */
const TURN_MS = 1_000;
/** A time slice waits this long for attempts in flight, because their end may leave more to do. */
const QUIET_MS = 250;

/** The time slice of one organization: decides when to claim again and when to stop. */
export interface Turn {
  /** Waits until another claim is worthwhile. Resolves to false when the time slice is over. */
  goesOn(isUnderWay: () => boolean): Promise<boolean>;
  /** `isMore`: due deliveries may remain. `isResting`: so may those of sources that are paused after a hang. */
  onLook(isMore: boolean, isResting?: boolean): void;
  /** Reports that more deliveries are due. */
  onNews(): void;
  /** Reports that an attempt ended, so that another may begin. */
  onEnd(): void;
  /** Reports that one of our services is unavailable, so that no callback can be sent. */
  onOutage(): void;
  /** Returns what due deliveries wait for: the end of an attempt, the end of an outage, or the end of a receiver's pause. */
  waitsFor(): 'attempt' | 'outage' | 'rest' | undefined;
}

export function newTurn(now: () => number = () => performance.now()): Turn {
  const until = now() + TURN_MS;
  const nap = newNap();
  let [isNews, isMore, isResting, hasEnded, isOutage] = [true, false, false, false, false];
  const isWorthwhile = (): boolean => isNews || (isMore && hasEnded);
  const isOver = (): boolean => isOutage || now() >= until;

  return {
    async goesOn(isUnderWay) {
      while (!isOver() && !isWorthwhile()) if (!isUnderWay() || !(await nap.wasWoken())) return false;
      if (isOver()) return false;
      [isNews, hasEnded] = [false, false];
      return true;
    },
    onLook: (more, resting = false) => void ([isMore, isResting] = [more, resting]),
    onNews() {
      isNews = true;
      nap.wake();
    },
    onEnd() {
      hasEnded = true;
      nap.wake();
    },
    onOutage() {
      isOutage = true;
      nap.wake();
    },
    waitsFor() {
      if (isOutage) return 'outage';
      if (isNews) return undefined;
      if (isMore) return hasEnded ? undefined : 'attempt';
      return isResting ? 'rest' : undefined;
    },
  };
}

function newNap(): { wake(): void; wasWoken(): Promise<boolean> } {
  let wake = (): void => undefined;
  return {
    wake: () => wake(),
    wasWoken: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, QUIET_MS, false);
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      }),
  };
}
