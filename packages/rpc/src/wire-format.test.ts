import { ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { encode, receive, send, sendBack } from './wire-format.js';

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

describe('a message for a service of the same process', () => {
  it('is a copy with the declared fields only', () => {
    const message = { ...outcomeOf('{}'), credential: 'undeclared' };
    const sent = send(ActionOutcome, message);
    expect(receive(ActionOutcome, sent)).toStrictEqual(outcomeOf('{}'));
    message.outcome = undefined;
    expect(receive(ActionOutcome, sent)).toStrictEqual(outcomeOf('{}'));
  });

  it.each([
    ['a lone surrogate', { ...outcomeOf('{}'), executionId: '\ud800' }],
    ['a number as text', { ...outcomeOf('{}'), executionId: 7 as unknown as string }],
  ])('is encoded if it has %s', (_name, message) => {
    const sent = send(ActionOutcome, message);
    expect(sent).toEqual(alone(message));
    expect(receive(ActionOutcome, sent)).toStrictEqual(ActionOutcome.decode(alone(message)));
  });

  it('fails like an encoded message', () => {
    const broken = { ...outcomeOf('{}'), duration: 'long' as unknown as number };
    expect(() => send(ActionOutcome, broken)).toThrow('invalid int32');
    expect(() => send(ActionOutcome, outcomeOf('x'.repeat(17 * 1024 * 1024)))).toThrow('larger than 16 MiB');
    expect(() => send(ActionOutcome, undefined as unknown as ActionOutcome)).toThrow(TypeError);
  });

  it('is answered in the form of its request', () => {
    const [copied, encoded] = [send(ActionOutcome, outcomeOf('{}')), encode(ActionOutcome, outcomeOf('{}'))];
    expect(sendBack(ActionOutcome, outcomeOf('[]'), copied)).toEqual({ message: outcomeOf('[]') });
    expect(sendBack(ActionOutcome, outcomeOf('[]'), encoded)).toEqual(alone(outcomeOf('[]')));
  });
});
