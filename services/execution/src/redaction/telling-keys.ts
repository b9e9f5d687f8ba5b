const TELLING = /authorization|cookie|passw|secret|token|api[-_]?key|private[-_]?key/i;

/** Whether people put secrets under this key, whatever the integration. */
export function isTelling(key: string): boolean {
  return TELLING.test(key);
}
