/** The third party has 10 s, and a token that has ended is refreshed first: the answer comes from the service, not from this clock. */
export const LOOKUP = { timeoutMs: 75_000 };
