/** An earlier request under the key of a call. Times are compared by the database's clock. */
export interface EarlierRequest {
  status: string;
  policyId: string;
  inputHash: string;
  /** Null: the request was opened by a version that did not store the hash. */
  requestHash: string | null;
  defaultOnTimeout: string;
  /** Whether the exact retry may still run. */
  isReceiptGood: boolean;
  /** Whether it expired at most as long ago as it was open. */
  expiredLately: boolean;
  /** Whether the answer under its key is still stored. */
  usedLately: boolean;
}

/** The effect of an earlier request on a call: keep waiting, run, refuse, reject the key as another call's, or none. */
export type Standing = 'pending' | 'approved' | 'refused' | 'taken' | 'none';

/** The call to compare with. `requestHash` is absent if the call has no key yet. */
export interface AskedCall {
  inputHash: string;
  policyId: string;
  requestHash?: string;
}

/** The earlier request that applies, and its standing. */
export type Found<Row> =
  { standing: 'none'; earlier?: undefined } | { standing: Exclude<Standing, 'none'>; earlier: Row };

/** Prefers a request for this exact call: a key can have several if the connection was reconnected or a policy changed. */
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
    // Spec silent: an approval counts only for the policy that asked for it.
    return earlier.policyId === policyId ? standing : 'none';
  }
  // The same request is another call after a partial changed or the connection was reconnected: no approver has seen that call.
  return earlier.requestHash === null || earlier.requestHash === requestHash ? 'none' : 'taken';
}

function ownStandingOf(earlier: EarlierRequest): Standing {
  const { defaultOnTimeout, isReceiptGood, expiredLately, usedLately } = earlier;
  switch (earlier.status) {
    case 'pending':
      return 'pending';
    case 'approved':
      return isReceiptGood ? 'approved' : 'none';
    // A late retry of a race: the retry that won holds the key, and its answer is replayed for all.
    case 'consumed':
      return usedLately ? 'approved' : 'none';
    case 'expired':
      return defaultOnTimeout === 'reject' && expiredLately ? 'refused' : 'none';
    default:
      return 'none';
  }
}
