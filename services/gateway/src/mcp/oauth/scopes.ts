/** All scopes that a token can have. */
export const SCOPES = ['mcp:tools', 'mcp:code'];

/** The error text for a request that names only unknown scopes. */
export const THERE_ARE_SCOPES = `There are the scopes ${SCOPES.join(' and ')}`;
