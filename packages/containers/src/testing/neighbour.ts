import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import type { Language } from '../driver.js';
import { type Engine, IMAGE, until } from './engine.js';

export interface Attempt {
  name: string;
  kind: string;
  language: Language;
  code: string;
}

/**
 * A second run, which stores a secret string (the flag) in its files, environment, memory and listeners, and an attacker with all privileges in the
 * same namespaces. The tests check that each attempted attack succeeds for this attacker, and fails for a sandboxed run.
 */
export interface Neighbour {
  flag: string;
  outsideAddress: string;
  /** Runs code with all privileges and returns its output. */
  runUnlimited(language: Language, code: string): Promise<string>;
  remove(): Promise<void>;
}

const PROGRAM = `
import os, socket, threading
flag = os.environ['PLANTED'].encode()
for path in ('/tmp/planted', '/dev/shm/planted'):
    open(path, 'wb').write(flag)
def serve(listener, answer):
    while True:
        client, _ = listener.accept()
        client.sendall(answer)
        client.close()
http = b'HTTP/1.1 200 OK\\r\\nconnection: close\\r\\ncontent-length: %d\\r\\n\\r\\n' % len(flag) + flag
abstract = socket.socket(socket.AF_UNIX)
abstract.bind('\\0planted')
abstract.listen()
for listener, answer in ((socket.create_server(('', 4321)), flag), (socket.create_server(('', 4322)), http), (abstract, flag)):
    threading.Thread(target=serve, args=(listener, answer)).start()
print('planted', flush=True)
`;

/** The capabilities are listed individually, because a privileged container fails to start on a machine that lacks one of them. */
const RIGHTS = (
  'DAC_READ_SEARCH MKNOD NET_ADMIN NET_RAW SYSLOG SYS_ADMIN SYS_BOOT SYS_MODULE SYS_NICE SYS_PACCT SYS_PTRACE SYS_RAWIO ' +
  'SYS_TIME SYS_TTY_CONFIG'
).split(' ');
const DEVICES = ['/dev/fuse', '/dev/kmsg', '/dev/loop-control', '/dev/mem', '/dev/net/tun'];

function device(path: string) {
  return { PathOnHost: path, PathInContainer: path, CgroupPermissions: 'rwm' };
}

const COMMANDS: Record<Language, (code: string) => string[]> = {
  javascript: (code) => ['node', '--input-type=module', '-e', code],
  python: (code) => ['python3', '-c', code],
  shell: (code) => ['bash', '-c', code],
};

export async function startNeighbour({ docker, host }: Engine): Promise<Neighbour> {
  const flag = `FLAG-${randomUUID()}`;
  const outside = mkdtempSync(join(tmpdir(), 'drawbridge-outside-'));
  writeFileSync(join(outside, 'flag'), flag);
  writeFileSync(join(outside, 'module.mjs'), `export default '${flag}';`);
  const binds = [`${outside}:/outside`, `${host.slice('unix://'.length)}:/var/run/docker.sock`];
  const network = await docker.createNetwork({ Name: `planted-${flag}`, Internal: true });
  const victim = await docker.createContainer({
    name: `drawbridge-victim-${flag}`,
    Image: IMAGE,
    User: '0',
    Cmd: ['python3', '-c', PROGRAM, 'planted-process'],
    Env: [`PLANTED=${flag}`],
    HostConfig: { NetworkMode: network.id, IpcMode: 'shareable', Binds: binds },
  });
  await victim.start();
  await until(async () => (await victim.logs({ stdout: true, stderr: true })).toString().includes('planted'));
  const { NetworkSettings } = await victim.inspect();
  return {
    flag,
    outsideAddress: Object.values(NetworkSettings.Networks)[0]?.IPAddress ?? '',
    runUnlimited: (language, code) =>
      runUnlimited(docker, { victim: victim.id, binds, command: COMMANDS[language](code) }),
    async remove() {
      await victim.remove({ force: true });
      await network.remove();
      rmSync(outside, { recursive: true, force: true });
    },
  };
}

interface Unlimited {
  victim: string;
  binds: string[];
  command: string[];
}

/** Joins the namespaces of the victim, never those of the machine, because an attempted attack must not harm other processes of the machine. */
async function runUnlimited(docker: Docker, { victim, binds, command }: Unlimited): Promise<string> {
  const shared = `container:${victim}`;
  const container = await docker.createContainer({
    Image: IMAGE,
    User: '0',
    Cmd: command,
    Tty: false,
    WorkingDir: '/root',
    HostConfig: {
      ...{ PidMode: shared, NetworkMode: shared, IpcMode: shared, Binds: [...binds, '/sys:/sys'] },
      ...{ CapAdd: RIGHTS, SecurityOpt: ['seccomp=unconfined'], MaskedPaths: [], ReadonlyPaths: [] },
      DeviceCgroupRules: ['a *:* rwm'],
      Devices: DEVICES.filter((path) => existsSync(path)).map((path) => device(path)),
    },
  });
  try {
    const stream = await container.attach({ stream: true, stdout: true, stderr: true });
    const output = new PassThrough();
    const chunks: Buffer[] = [];
    output.on('data', (chunk: Buffer) => chunks.push(chunk));
    docker.modem.demuxStream(stream, output, output);
    const ended = new Promise((resolve) => stream.on('end', resolve));
    await container.start();
    await container.wait();
    await ended;
    return Buffer.concat(chunks).toString();
  } finally {
    await container.remove({ force: true });
  }
}
