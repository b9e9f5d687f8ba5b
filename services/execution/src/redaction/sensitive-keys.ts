const SENSITIVE = /authorization|cookie|passw|secret|token|api[-_]?key|private[-_]?key/i;

/** Whether people put secrets under this key, whatever the integration. */
export function isSensitiveKey(key: string): boolean {
  return SENSITIVE.test(key);
}
