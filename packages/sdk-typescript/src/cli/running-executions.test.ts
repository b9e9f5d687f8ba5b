import { type Execution } from '../gen/models.js';
import { RunningExecutions } from './running-executions.js';

const execution = (id: string, status: Execution['status']) => ({ id, status }) as Execution;
const runningOf = (count: number) => Array.from({ length: count }, (_, at) => execution(`${at}`, 'running'));

/** Returns running executions, and the ids that were requested. An execution has ended on the server if the test adds its id to `ended`. */
function watching(executions: readonly Execution[]) {
  const [requests, ended] = [[] as string[], new Set<string>()];
  const running = new RunningExecutions(async (id) => {
    requests.push(id);
    if (ended.has('away')) throw new Error('away');
    return ended.has('deleted') ? undefined : execution(id, ended.has(id) ? 'success' : 'running');
  });
  executions.forEach((one) => running.add(one));
  return { running, requests, ended };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
async function* listOf(executions: readonly Execution[]): AsyncGenerator<Execution> {
  yield* executions;
}

it('requests few executions for each look, and each of them in turn', async () => {
  const { running, requests } = watching(runningOf(12));
  for (let look = 0; look < 3; look++) {
    requests.length = 0;
    expect(await all(running.ended())).toEqual([]);
    expect(requests).toEqual([0, 1, 2, 3, 4].map((at) => `${(look * 5 + at) % 12}`));
  }
});

it('returns each execution that ended once, and none that was deleted', async () => {
  const { running, requests, ended } = watching([...runningOf(2), execution('2', 'success')]);
  ended.add('1');
  expect(await all(running.ended())).toEqual([execution('1', 'success')]);
  expect(await all(running.ended())).toEqual([]);
  ended.add('deleted');
  expect(await all(running.ended())).toEqual([]);
  expect(requests).toEqual(['0', '1', '0', '0']);
  await all(running.ended());
  expect(requests).toHaveLength(4);
});

it('takes the status from a list without a request', async () => {
  const { running, requests } = watching(runningOf(3));
  const listed = [execution('0', 'failed'), execution('1', 'running'), execution('9', 'success')];
  expect(await all(running.watch(listOf(listed)))).toEqual(listed);
  expect(await all(running.ended())).toEqual([execution('0', 'failed')]);
  expect(requests).toEqual(['2']);
  await all(running.ended());
  expect(requests).toEqual(['2', '1', '2']);
});

it('continues with others after a request that failed', async () => {
  const { running, requests, ended } = watching(runningOf(2));
  ended.add('away');
  await expect(all(running.ended())).rejects.toThrow('away');
  ended.delete('away');
  await all(running.ended());
  expect(requests).toEqual(['0', '1', '0']);
});
