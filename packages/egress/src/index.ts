export { configuredEgress, EGRESS_VARIABLES, reachedAt } from './configured-egress.js';
export { createEgress, type Egress, type Send } from './egress.js';
export { EgressError, type EgressCode } from './egress-error.js';
export { callbackProblem, httpsProblem, isKeptUrl } from './url-problems.js';
export type { Connect } from './guarded-connector.js';
export { type OutgoingRequest, type OutgoingResponse, SENDER_OWNED } from './request-and-redirects.js';
export { parseOriginMap } from './origin-map.js';
