/** An earlier request under the key of a call, by the database's clock. */
export interface EarlierRequest {
  status: string;
  policyId: string;
  inputHash: string;
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

export function standingOf(
  earlier: EarlierRequest | undefined,
  { inputHash, policyId }: Pick<EarlierRequest, 'inputHash' | 'policyId'>,
): Standing {
  const standing = earlier ? ownStandingOf(earlier) : 'none';
  if (!earlier || standing === 'none') return 'none';
  if (earlier.inputHash !== inputHash) return 'taken';
  // Spec silent: who was asked by one policy has not answered another.
  return earlier.policyId === policyId ? standing : 'none';
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
