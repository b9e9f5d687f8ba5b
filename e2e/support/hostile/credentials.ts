/** The attacker's connections by externalId: a normal connection, the largest connections, and a connection with secrets that occur in every text. */
export const CREDENTIALS = {
  plain: { type: 'SECRET_TEXT', secretText: 'tok_0123456789abcdefghij' },
  many: { type: 'CUSTOM_AUTH', props: numbered(100) },
  /** The largest secret, with characters that each encoding escapes differently. */
  escapable: { type: 'SECRET_TEXT', secretText: '"&‹\'é'.repeat(7_000) },
  short: { type: 'CUSTOM_AUTH', props: Object.fromEntries([...'redact'].map((letter) => [letter, letter])) },
};

function numbered(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, index) => `p${index}`);
  return Object.fromEntries(names.map((name) => [name, `v-${name}`.padEnd(300, 'x')]));
}
