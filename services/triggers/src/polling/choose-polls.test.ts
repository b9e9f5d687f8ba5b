import { choosePolls, type DuePoll, MOST } from './choose-polls.js';

const most = { inAll: 8, ofOrganization: 4, ofOrigin: 2 };

/** Creates due polls: `a1` is a poll of organization `a` at origin `1`. The list is sorted by age, the oldest first. */
const polls = (...names: string[]): DuePoll[] =>
  names.map((name, at) => ({ id: `${name}#${at}`, orgId: name[0]!, origin: name[1]!, dueAt: new Date(at) }));
const chosen = (due: DuePoll[], running: DuePoll[] = []): string[] =>
  choosePolls(due, running, most).map(({ id }) => id);

it.each<[string, string[], string[], string[]]>([
  ['the oldest of an origin first, as many as it may have', ['a1', 'a1', 'a1'], [], ['a1#0', 'a1#1']],
  ['nothing more of an origin that has its slots', ['a1', 'a2'], ['a1', 'a1'], ['a2#1']],
  ['one of each origin before a second of any', ['a1', 'a1', 'a2'], [], ['a1#0', 'a2#2']],
  ['above half of an organization, only for origins that have none', ['a1', 'a3'], ['a1', 'a2'], ['a3#1']],
  ['nothing of an organization that has its slots', ['a5', 'b1'], ['a1', 'a2', 'a3', 'a4'], ['b1#1']],
  ['one of each organization before a second of any', ['a1', 'a2', 'b1'], [], ['a1#0', 'b1#2', 'a2#1']],
  ['above half in all, only for organizations that have none', ['a3', 'f1'], ['a1', 'b1', 'c1', 'd1'], ['f1#1']],
  ['nothing where all slots are taken', ['z1'], ['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1', 'h1'], []],
])('begins %s', (_what, due, running, expected) => {
  expect(chosen(polls(...due), polls(...running))).toEqual(expected);
});

it('goes by age, whatever the order in which polls are found', () => {
  expect(chosen(polls('a1', 'b1', 'c1').reverse())).toEqual(['a1#0', 'b1#1', 'c1#2']);
});

it('serves the origins of an organization in turn when all are slow', () => {
  const due = polls(...Array.from('123456789', (origin) => `a${origin}`));
  const [running, begun]: [DuePoll[], string[]] = [[], []];
  while (due.length > 0) {
    for (const poll of choosePolls(due, running, most)) {
      running.push(
        ...due.splice(
          due.findIndex(({ id }) => id === poll.id),
          1,
        ),
      );
      begun.push(poll.origin);
    }
    running.shift();
  }
  expect(begun.join('')).toBe('123456789');
});

it('leaves the default limits room for others', () => {
  expect(MOST.ofOrigin).toBeLessThan(MOST.ofOrganization / 2 + 1);
  expect(MOST.ofOrganization).toBeLessThan(MOST.inAll / 2 + 1);
});
