import { FairQueue } from './fair-queue.js';

it('goes round the tenants, each in the order in which it came', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.enqueue(item[0]!, item);
  queue.remove('a', 'a2');
  queue.remove('b', 'b2');
  expect(queue.of('a')).toEqual(['a1', 'a3']);
  const taken = [queue.dequeue(), queue.dequeue()];
  queue.enqueue('d', 'd1');
  while (taken.at(-1) !== undefined) taken.push(queue.dequeue());
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a3', 'd1', 'c2', undefined]);
});

it('counts an item once that is added twice', () => {
  const queue = new FairQueue<string>();
  queue.enqueue('a', 'a1');
  queue.enqueue('a', 'a1');
  expect(queue.size).toBe(1);
  expect([queue.dequeue(), queue.dequeue(), queue.size]).toEqual(['a1', undefined, 0]);
});
