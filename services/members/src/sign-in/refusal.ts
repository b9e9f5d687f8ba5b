import { ApiError } from '@drawbridge/contracts';

/** The reasons why a sign-in by a provider fails. */
const REASONS = {
  denied: 'The person or the provider said no',
  provider: 'The provider is away, or its answer is not to be trusted',
  over: 'It took too long, or was begun in another browser',
  unverified_email: 'The provider does not vouch for the email',
  no_account: 'There is no account with that email, and no invitation',
};

/** Returns UNAUTHENTICATED, with the reason for a page to show. */
export function refusal(reason: keyof typeof REASONS): ApiError {
  return new ApiError('UNAUTHENTICATED', REASONS[reason], { details: { reason } });
}
