/** The version of the API in the fixture, for requests and events. Stripe supports each version permanently. */
export const VERSION = '2026-10-28.endive';
