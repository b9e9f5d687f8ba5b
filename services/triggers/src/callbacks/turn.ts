/** Who has much is attended to for so long, and then again after the others. */
const TURN_MS = 1_000;
/** How long a turn waits for what is under way: it may leave something to be done. */
const QUIET_MS = 250;

/** One organization's: when to look for what is due, and when not to any more. */
export interface Turn {
  /** Waits until it is worth a look; false where the turn is over. */
  goesOn(isUnderWay: () => boolean): Promise<boolean>;
  /** `isMore`: not all that is due may have been begun. `isResting`: nor what is due of sources that hang. */
  onLook(isMore: boolean, isResting?: boolean): void;
  /** Something is due that was not. */
  onNews(): void;
  /** An attempt has ended: another may be begun. */
  onEnd(): void;
  /** Something of ours is away, without which nobody is told anything. */
  onOutage(): void;
  /** What is due now has to wait: for the end of an attempt, for what is away, or until receivers that hang are asked again. */
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
