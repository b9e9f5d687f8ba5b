import { ApiError } from '@drawbridge/contracts';

/**
 * The other service may have had the call, and its answer did not come: it died, hung, or was left. Any other UNAVAILABLE
 * or TIMEOUT is that service's own word, or says that it was never reached.
 */
export class LostCall extends ApiError {}
