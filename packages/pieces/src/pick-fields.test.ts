import { pickFields, same } from './pick-fields.js';

const issue = { number: 7, user: { login: 'ann' }, milestone: null, labels: [{ name: 'a' }, { name: 'b' }, 'c'] };

it.each<[string, object]>([
  ['number', { found: 7 }],
  ['user.login', { found: 'ann' }],
  ['milestone', { found: null }],
  ['milestone.title', {}],
  ['body', {}],
  ['labels.*.name', { found: ['a', 'b'] }],
  ['user.*.login', {}],
  ['constructor', {}],
])('reads %s', (path, expected) => expect(pickFields(issue, { found: path })).toEqual(expected));

it('keeps names', () => expect(pickFields(issue, same('number', 'none'))).toEqual({ number: 7 }));
