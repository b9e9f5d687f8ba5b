import kafkajs from 'kafkajs';
import { MessageTooLarge } from './bus.js';
import { toBusError } from './kafka-client.js';

const answer = (type: string) =>
  new kafkajs.KafkaJSProtocolError(Object.assign(new Error(type), { type, code: 0, retriable: false }));
const retried = (error: Error) => new kafkajs.KafkaJSNumberOfRetriesExceeded(error, { retryCount: 5, retryTime: 1 });

describe('toBusError', () => {
  it.each(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])('marks %s as permanent', (type) => {
    expect(toBusError(answer(type))).toBeInstanceOf(MessageTooLarge);
    expect(toBusError(retried(answer(type)))).toBeInstanceOf(MessageTooLarge);
  });

  it('treats a silent broker as an outage', () => {
    const error = new kafkajs.KafkaJSConnectionError('Connection error: ECONNREFUSED');
    expect(toBusError(retried(error))).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it.each([answer('NOT_ENOUGH_REPLICAS'), retried(answer('NOT_ENOUGH_REPLICAS')), new TypeError('no value')])(
    'leaves other failures unchanged: %s',
    (error) => expect(toBusError(error)).toBe(error),
  );
});
