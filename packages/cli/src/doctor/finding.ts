/** The result of one check. */
export interface Finding {
  check: string;
  /** `failed`: secrets or the service are at risk. `warning`: acceptable only for some installations, such as a trial on one machine. */
  status: 'ok' | 'warning' | 'failed';
  /** The observed value or state. Contains no secret. */
  found: string;
  /** The remedy. Absent if the status is `ok`. */
  advice?: string;
}

/** Returns a finding. If `advice` is undefined, the check passed. */
export function finding(
  check: string,
  found: string,
  advice?: string,
  status: 'warning' | 'failed' = 'warning',
): Finding {
  return advice === undefined ? { check, status: 'ok', found } : { check, status, found, advice };
}
