import { processorTimeOf } from '@drawbridge/testkit';
import { attach } from './kubernetes-attach.js';
import { readFrames } from './frames.js';
import { type ApiServer, startApiServer } from './testing/api-server.js';

let server: ApiServer;
beforeAll(async () => void (server = await startApiServer()));
afterAll(() => server.close());

/** Returns the processor time of reading this many bytes of program output, which arrive in messages of `piece` bytes. */
async function costOf(bytes: number, piece: number): Promise<number> {
  const head = Buffer.alloc(5);
  head.write('o', 'latin1');
  head.writeUInt32BE(60_000, 1);
  const frame = Buffer.concat([head, Buffer.alloc(60_000)]);
  const all = Buffer.concat(Array.from({ length: Math.ceil(bytes / frame.length) }, () => frame));
  server.attach = (socket) => {
    for (let at = 0; at < all.length; at += piece)
      socket.send(Buffer.concat([Buffer.of(1), all.subarray(at, at + piece)]));
    socket.close();
  };
  return processorTimeOf(async () => {
    const access = async () => ({ url: server.url, ca: '', token: 'secret' });
    const query = { container: 'run', stdin: 'true' };
    const request = { path: '/attach', query, purpose: 'connect', signal: AbortSignal.timeout(60_000) };
    const { input, output } = await attach(access, request);
    let count = 0;
    for await (const { type } of readFrames(output, { bytesLeft: Infinity, framesLeft: Infinity }))
      count += type === 'stdout' ? 1 : 0;
    input.destroy();
    expect(count).toBe(all.length / frame.length);
  });
}

it.each([100, 4_096, 32_768])(
  'reads output in linear time from messages of %i bytes',
  async (piece) => {
    const size = Math.min(piece * 1_000, 750_000); // The server of this test holds 16 times as much in memory.
    await costOf(size * 16, piece); // compiles the code
    const [small, large] = [await costOf(size, piece), await costOf(size * 16, piece)];
    // Linear work takes 16 times as long for 16 times the output, quadratic work 256 times.
    expect(large / small).toBeLessThan(100);
  },
  60_000,
);
