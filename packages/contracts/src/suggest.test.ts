import { nearestName, suggestion } from './suggest.js';

const KNOWN = ['github', 'gitlab', 'google-sheets', 'send_message', 'create_issue', 'slack'];

it.each([
  ['githb', 'github'],
  ['GitHub', 'github'],
  ['git-lab', 'gitlab'],
  ['googlesheets', 'google-sheets'],
  ['createIssue', 'create_issue'],
  ['send_mesage', 'send_message'],
  ['slak', 'slack'],
])('suggests for %s the name %s', (given, name) => expect(nearestName(given, KNOWN)).toBe(name));

it.each(['', '--', 'x', 'abc', 'jira', 'constructor', '\ud800', 'slack'.repeat(50)])(
  'suggests nothing for %j',
  (given) => expect(nearestName(given, KNOWN)).toBeUndefined(),
);

it('makes a sentence of it', () => {
  expect(suggestion('githb', KNOWN)).toBe(' Did you mean github?');
  expect(suggestion('jira', KNOWN)).toBe('');
});

it('costs the same for a long text as for a name', () => {
  const many = Array.from({ length: 500 }, (_, n) => `action_number_${n}`);
  const timeOf = (given: string): number => {
    const began = process.cpuUsage();
    for (let n = 0; n < 20; n++) nearestName(given, many);
    return process.cpuUsage(began).user;
  };
  timeOf('warm up');
  expect(timeOf('action'.repeat(150_000)) / Math.max(timeOf('action'.repeat(10)), 1_000)).toBeLessThan(20);
});
