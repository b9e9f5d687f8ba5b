/** The version of the API that the fixture describes, of requests and of events; Stripe keeps each. */
export const VERSION = '2022-11-15';
