import { ApiError } from '@drawbridge/contracts';

/** Why nobody is signed in by a provider. */
const REASONS = {
  denied: 'The person or the provider said no',
  provider: 'The provider is away, or its answer is not to be trusted',
  over: 'It took too long, or was begun in another browser',
  unverified_email: 'The provider does not vouch for the email',
  no_account: 'There is no account with that email, and no invitation',
};

/** UNAUTHENTICATED, with the reason for a page to tell. */
export function refusal(reason: keyof typeof REASONS): ApiError {
  return new ApiError('UNAUTHENTICATED', REASONS[reason], { details: { reason } });
}
