/** What tokens of a server may be good for, by its mode. */
export function scopesOf(mode: string): string[] {
  return mode === 'CODE' ? ['mcp:tools', 'mcp:code'] : ['mcp:tools'];
}
