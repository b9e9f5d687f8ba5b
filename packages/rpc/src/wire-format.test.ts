import { ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { encode } from './wire-format.js';

const outcomeOf = (outputJson: string): ActionOutcome =>
  ActionOutcome.create({ executionId: 'e1', outcome: { $case: 'outputJson', value: outputJson } });
const alone = (message: ActionOutcome): Buffer => Buffer.from(ActionOutcome.encode(message).finish());

it('encodes each message independently', () => {
  const messages = ['first', 'x'.repeat(100_000), '', 'é'.repeat(30_000), 'last'].map(outcomeOf);
  const written = messages.map((message) => encode(ActionOutcome, message));
  expect(written.map((bytes, index) => bytes.equals(alone(messages[index]!)))).toEqual(messages.map(() => true));
});

it('leaves no part of a failed message in the next one', () => {
  const broken = { ...outcomeOf('half of it'), duration: 'long' as unknown as number };
  expect(() => encode(ActionOutcome, broken)).toThrow('invalid int32');
  expect(encode(ActionOutcome, outcomeOf('whole')).equals(alone(outcomeOf('whole')))).toBe(true);
});
