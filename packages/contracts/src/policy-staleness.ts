/**
 * How long a process may rely on its cached policies of an organization. The response to a policy change waits longer than this, so that every
 * replica applies the change once the caller has the response.
 */
export const POLICY_STALENESS_MS = 100;
