import { PassThrough } from 'node:stream';
import type { Driver, SandboxContainer } from '../driver.js';
import { READY, STARTED } from './frames.js';

export interface FakeContainer extends SandboxContainer {
  output: PassThrough;
  /** The chunks that the driver wrote. */
  written: Buffer[];
}

export function fakeContainer(more: Partial<SandboxContainer> = {}): FakeContainer {
  const [input, output, written] = [new PassThrough(), new PassThrough(), [] as Buffer[]];
  input.on('data', (bytes: Buffer) => written.push(bytes));
  const ends = { endReason: async () => 'unknown' as const, remove: async () => undefined };
  return { name: 'run', input, ...ends, ...more, output, written };
}

/** Sends `ready`, `started` for each request, and the frames after the byte that starts the code. */
export function responding(container: FakeContainer, answer: Buffer[]): FakeContainer {
  const { input, output } = container;
  let isPrepared = false;
  output.write(READY);
  input.on('data', () => {
    if (isPrepared) for (const bytes of answer) output.write(bytes);
    else output.write(STARTED);
    isPrepared = !isPrepared;
  });
  return container;
}

export function fakeDriver(start: () => SandboxContainer): Driver {
  const nothing = async (): Promise<void> => undefined;
  return { start: async () => start(), requireIsolation: nothing, removeOrphans: nothing, close: nothing };
}
