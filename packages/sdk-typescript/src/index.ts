export { type ActionCall, type ActionResult, type WorkspaceActions } from './actions.js';
export { ApiError, ConnectionError, type DetailsOf, RequestTimeoutError } from './api-error.js';
export { Drawbridge } from './client.js';
export * from './gen/errors.js';
export type * from './gen/models.js';
export { type Resources } from './gen/resources.js';
export { type List } from './list.js';
export { type ClientOptions, type RequestOptions } from './request.js';
export { type Event } from './streams.js';
