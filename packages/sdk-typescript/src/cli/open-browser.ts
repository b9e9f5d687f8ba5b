import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address in the browser. Other users of the machine can read the arguments of processes, and the address may be a credential. Therefore the
 * browser is given an address of this process, which redirects once. Returns a function that closes it; failures are ignored, because the person
 * also sees the address.
 */
export async function openBrowser(url: string): Promise<() => void> {
  const path = `/${randomBytes(16).toString('hex')}`;
  let isUsed = false;
  const server = createServer((request, response) => {
    const isFirst = request.url === path && !isUsed;
    isUsed ||= isFirst;
    response.writeHead(isFirst ? 303 : 404, { ...(isFirst && { location: url }), connection: 'close' }).end();
  });
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, `http://127.0.0.1:${port}${path}`], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return () => void server.close();
}
