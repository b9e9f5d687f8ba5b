import { authorizationHeader, ProviderError, type Credential } from '@drawbridge/piece-kit';
import { isHeader } from './headers.js';

/** Bearer or Basic; the props of a CUSTOM_AUTH connection are headers. */
export function authorize(credential: Credential): Record<string, string> {
  if (credential.type !== 'CUSTOM_AUTH') return authorizationHeader(credential);

  return Object.fromEntries(
    Object.entries(credential.props).map(([name, value]) => {
      if (typeof value !== 'string' || !isHeader(name, value)) {
        throw new ProviderError(`The connection's "${name}" cannot be sent as a header`);
      }
      return [name, value];
    }),
  );
}
