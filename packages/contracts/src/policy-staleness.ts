/**
 * How long a process may rely on what it knows of an organization's policies. The answer to a change of a policy waits longer than this, so
 * that every replica applies the change once its caller has the answer.
 */
export const POLICY_STALENESS_MS = 100;
