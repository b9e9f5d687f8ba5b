/**
 * The time for which a process may use its cached policies of an organization. A policy change waits longer than this before it responds, so that
 * every replica applies the change when the caller receives the response.
 */
export const POLICY_STALENESS_MS = 100;
