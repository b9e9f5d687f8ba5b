/** The version of the API in the fixture, for requests and events. Stripe supports each version permanently. */
export const VERSION = '2022-11-15';
