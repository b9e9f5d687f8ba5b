const PLACEHOLDER = /\{(\w+)\}/g;

/** Returns the names of the inputs that a summary contains. */
export function placeholdersOf(summary: string): string[] {
  return [...summary.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/**
 * Returns the summary of one call. `quoted` returns the text of an input, or undefined if the input cannot be displayed. In that case the function
 * returns undefined, because a summary with a gap could mislead an approver.
 */
export function fillSummary(summary: string, quoted: (name: string) => string | undefined): string | undefined {
  if (placeholdersOf(summary).some((name) => quoted(name) === undefined)) return undefined;
  return summary.replaceAll(PLACEHOLDER, (_whole, name: string) => quoted(name) ?? '');
}
