// Runs before each test file. Disables the AsyncLocalStorage instances that the previous test files of the worker used, because Node.js 20 and 22 copy
// each enabled instance at each new promise. Without this, the last files of a worker spend most of their processor time on instances of finished files.
import { AsyncLocalStorage } from 'node:async_hooks';

const USED = Symbol.for('drawbridge.used-async-storages');

// The class belongs to Node.js, so that all test files of a worker share it.
const used = (AsyncLocalStorage[USED] ??= recordUsed(AsyncLocalStorage.prototype));

for (const storage of used) storage.disable();
used.clear();

/** Returns a set to which each instance is added when it is enabled. */
function recordUsed(prototype) {
  const storages = new Set();
  for (const name of ['run', 'enterWith']) {
    const enable = prototype[name];
    prototype[name] = function (...values) {
      storages.add(this);
      return enable.apply(this, values);
    };
  }
  return storages;
}
