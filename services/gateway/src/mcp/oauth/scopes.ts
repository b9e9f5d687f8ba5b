/** All that a token may be for. */
export const SCOPES = ['mcp:tools', 'mcp:code'];

/** What is said where something else alone was asked for. */
export const THERE_ARE_SCOPES = `There are the scopes ${SCOPES.join(' and ')}`;
