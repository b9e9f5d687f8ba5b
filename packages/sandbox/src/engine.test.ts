import { limitMemory } from './engine.js';

const HEADER = [0, 97, 115, 109, 1, 0, 0, 0];
const EXPORTED = [7, 10, 1, 6, ...Buffer.from('memory'), 2, 0];

it('gives the memory of a binary a maximum', () => {
  const limited = limitMemory(Uint8Array.from([...HEADER, 5, 3, 1, 0, 2, ...EXPORTED]), 300);
  const { memory } = new WebAssembly.Instance(new WebAssembly.Module(limited)).exports as {
    memory: WebAssembly.Memory;
  };
  expect(memory.buffer.byteLength).toBe(2 * 65_536);
  memory.grow(298);
  expect(() => memory.grow(1)).toThrow(RangeError);
});

it.each([[[...HEADER]], [[...HEADER, 5, 4, 1, 1, 2, 3]], [[...HEADER, 5, 5, 2, 0, 2, 0, 2]]])(
  'rejects a binary without exactly one plain memory (%#)',
  (binary) =>
    expect(() => limitMemory(Uint8Array.from(binary), 300)).toThrow(
      'cannot limit the memory of this version of quickjs-wasi',
    ),
);
