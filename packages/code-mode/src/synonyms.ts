/** Groups of words that users and providers use with the same meaning. */
const GROUPS: readonly (readonly string[])[] = [
  ['create', 'add', 'new', 'make', 'insert'],
  ['update', 'edit', 'change', 'modify', 'set'],
  ['delete', 'remove', 'erase', 'archive'],
  ['get', 'read', 'fetch', 'retrieve', 'show', 'find'],
  ['list', 'all', 'browse'],
  ['search', 'find', 'query', 'lookup'],
  ['send', 'post', 'deliver', 'write'],
  ['email', 'mail', 'gmail'],
  ['message', 'chat', 'dm'],
  ['file', 'document', 'attachment'],
  ['ticket', 'issue', 'bug', 'task'],
  ['meeting', 'event', 'appointment'],
  ['customer', 'client', 'contact'],
  ['person', 'user', 'member', 'people'],
  ['pay', 'charge', 'payment'],
  ['repo', 'repository'],
  ['spreadsheet', 'sheet', 'table'],
];

/** Maps each word to the other words of its groups. */
export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(GROUPS.flat())].map((word) => [word, synonymsOf(word)]),
);

function synonymsOf(word: string): string[] {
  const groups = GROUPS.filter((group) => group.includes(word));
  return [...new Set(groups.flat())].filter((other) => other !== word);
}
