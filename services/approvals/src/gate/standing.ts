/** An earlier request under the key of a call, by the database's clock. */
export interface EarlierRequest {
  status: string;
  policyId: string;
  inputHash: string;
  /** Null: it was opened by a version that did not store it. */
  requestHash: string | null;
  defaultOnTimeout: string;
  /** Its exact retry may still run. */
  isReceiptGood: boolean;
  /** It expired no longer ago than it was open. */
  expiredLately: boolean;
  /** What was answered under its key is still stored. */
  usedLately: boolean;
}

/** What it means for the call: it waits on, it runs, it may not, it is another call's, or nothing: a new one is opened. */
export type Standing = 'pending' | 'approved' | 'refused' | 'taken' | 'none';

/** What a call is compared with. `requestHash` is absent where the call has no key yet. */
export interface AskedCall {
  inputHash: string;
  policyId: string;
  requestHash?: string;
}

/** The earlier request that decides, and its standing. */
export type Found<Row> =
  { standing: 'none'; earlier?: undefined } | { standing: Exclude<Standing, 'none'>; earlier: Row };

/** Looks for a request of this very call first: one key can have several, where the connection was reconnected or a policy changed. */
export function findStanding<Row extends EarlierRequest>(rows: readonly Row[], asked: AskedCall): Found<Row> {
  const live = rows.flatMap((earlier) => {
    const standing = standingOf(earlier, asked);
    return standing === 'none' ? [] : [{ standing, earlier }];
  });
  return live.find(({ standing }) => standing !== 'taken') ?? live[0] ?? { standing: 'none' };
}

export function standingOf(earlier: EarlierRequest, { inputHash, policyId, requestHash }: AskedCall): Standing {
  const standing = ownStandingOf(earlier);
  if (standing === 'none') return 'none';
  if (earlier.inputHash === inputHash) {
    // Spec silent: who was asked by one policy has not answered another.
    return earlier.policyId === policyId ? standing : 'none';
  }
  // The same request means another call since a partial changed or the connection was reconnected: no approver has seen that call.
  return earlier.requestHash === null || earlier.requestHash === requestHash ? 'none' : 'taken';
}

function ownStandingOf(earlier: EarlierRequest): Standing {
  const { defaultOnTimeout, isReceiptGood, expiredLately, usedLately } = earlier;
  switch (earlier.status) {
    case 'pending':
      return 'pending';
    case 'approved':
      return isReceiptGood ? 'approved' : 'none';
    // A retry that came late to the race: the one that won has the key, and its answer is for all.
    case 'consumed':
      return usedLately ? 'approved' : 'none';
    case 'expired':
      return defaultOnTimeout === 'reject' && expiredLately ? 'refused' : 'none';
    default:
      return 'none';
  }
}
