import { authorizationHeader, ProviderError, type Credential } from '@drawbridge/piece-kit';

/** Returns the headers for Bearer or Basic authentication. The props of a CUSTOM_AUTH connection are headers. */
export function authorize(credential: Credential): Record<string, string> {
  if (credential.type !== 'CUSTOM_AUTH') return authorizationHeader(credential);

  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(credential.props)) {
    if (typeof value !== 'string')
      throw new ProviderError(`The connection's "${name}" must be text, because it is sent as a header`);
    headers[name] = value;
  }
  return headers;
}
