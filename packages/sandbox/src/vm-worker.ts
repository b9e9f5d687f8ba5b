import { parentPort, workerData } from 'node:worker_threads';
import { DEFAULT_LIMITS } from './limits.js';
import type { Order, Report, WorkerData } from './messages.js';
import { Vm } from './vm.js';
import { VmRun } from './vm-run.js';

interface Current {
  run: VmRun;
  vm: Vm;
}

const { module } = workerData as WorkerData;
const port = parentPort!;
const report = (message: Report): void => port.postMessage(message);

/** A VM without a run. It is created in advance, so that the next run does not wait until a VM is created. */
let spare: Current | undefined;
let current: Current | undefined;

async function prepare(): Promise<void> {
  const run = new VmRun((message) => report(message));
  spare = { run, vm: await Vm.create({ module, memoryBytes: DEFAULT_LIMITS.memoryBytes, host: run }) };
  report({ type: 'ready' });
}

async function free(): Promise<void> {
  current = undefined;
  if (spare) report({ type: 'ready' });
  else await prepare();
}

async function resume({ image, ...order }: Extract<Order, { type: 'resume' }>): Promise<Current> {
  const run = new VmRun((message) => report(message));
  const vm = await Vm.restore(image, { module, memoryBytes: order.limits.memoryBytes, host: run });
  run.begin(order.limits, order);
  return { run, vm };
}

async function obey(order: Order): Promise<void> {
  switch (order.type) {
    case 'start': {
      current = spare!;
      spare = undefined;
      current.vm.setMemoryLimit(order.limits.memoryBytes);
      current.run.begin(order.limits);
      return current.run.start(current.vm, order);
    }
    case 'resume':
      current = await resume(order);
      return;
    case 'answer':
      // The run may have ended before this result arrived.
      return current?.run.answer(current.vm, order.answer, order.now);
    case 'park': {
      if (!current) return;
      const image = current.vm.toImage();
      port.postMessage({ type: 'parked', image } satisfies Report, [image.memory.buffer as ArrayBuffer]);
      return free();
    }
    case 'drop':
      return free();
    default:
      return order satisfies never;
  }
}

let last = prepare();
port.on('message', (order: Order) => {
  last = last.then(() => obey(order));
});
