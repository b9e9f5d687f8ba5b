/** Returns the scopes that tokens of a server can have, by its mode. */
export function scopesOf(mode: string): string[] {
  return mode === 'CODE' ? ['mcp:tools', 'mcp:code'] : ['mcp:tools'];
}
