import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer } from '../../support/api.js';
import { type Programs } from '../../support/programs.js';

const CASES = join(import.meta.dirname, '../../../packages/containers/src/testing');
const read = (file: string) => JSON.parse(readFileSync(join(CASES, file), 'utf8'));

interface Case {
  name: string;
  language: string;
  code: string;
}

/** Attempts that a pod permits, and why this is accepted. Decision 0054 lists the differences from a Docker engine. */
const POSSIBLE: Record<string, string> = {
  'has a network interface beside loopback': 'a plugin that enforces the network policies denies its traffic',
  'sends a datagram to another network': 'a plugin that enforces the network policies drops it',
  'opens a socket to the kernel (netlink)': 'RuntimeDefault allows it; it needs privileges to change anything',
  'traces a process': 'RuntimeDefault allows it; only processes of the same pod exist',
  'reads the memory of another process by system call':
    'RuntimeDefault allows it; only processes of the same pod exist',
  'sets up io_uring': 'RuntimeDefault of containerd before 2.0 allows it',
  'runs a program that it wrote to /tmp': 'a volume in memory cannot be mounted with noexec',
  'runs a program that it wrote to the mount': 'a volume in memory cannot be mounted with noexec',
};
/** Bombs that only `podPidsLimit` limits, which the kubelet of this cluster does not set. */
const NEEDS_PID_LIMIT = /^(forks|starts) .*without end/;
const AT_ONCE = 4; // the programs of one organization that run at the same time in one process
const BOMB_SECONDS = 2;

/** Declares the tests of programs that attack a pod. Each runs several attempts, because the start of a pod takes seconds. */
export function itResistsAttacks(programs: () => Programs): void {
  const { pythonPrelude, attempts }: { pythonPrelude: string; attempts: Case[] } = read('container-escapes.json');
  const bombs: Case[] = read('resource-bombs.json');
  const possible = attempts.filter(({ name }) => name in POSSIBLE);

  it('knows each attempt that a pod allows', () => expect(possible).toHaveLength(Object.keys(POSSIBLE).length));

  it.each(inGroups(attempts.filter(({ name }) => !(name in POSSIBLE))))(
    '%s: none succeeds',
    async (_names, group) => {
      const answers = await Promise.all(
        group.map(async ({ name, language, code }) => {
          const input = { outsideAddress: '198.51.100.1' };
          const answer = await programs().run((language === 'python' ? pythonPrelude : '') + code, { language, input });
          return { name, status: answer.status, isReached: String(answer.body.output?.stdout).includes('REACHED') };
        }),
      );
      expect(answers).toEqual(group.map(({ name }) => ({ name, status: 200, isReached: false })));
    },
    120_000,
  );

  it.each(inGroups(bombs.filter(({ name }) => !NEEDS_PID_LIMIT.test(name))))(
    '%s: each ends',
    async (_names, group) => {
      const integration = await programs().configured({ timeoutSeconds: BOMB_SECONDS, storageMountScope: 'end_user' });
      const endings = await Promise.all(
        group.map(async ({ name, language, code }, at) => ({
          name,
          ending: endingOf(await programs().run(code, { language, integration, endUserId: `bomber-${at}` })),
        })),
      );
      const ended = expect.stringMatching(/^(200|TIMEOUT|MEMORY_LIMIT|RUNTIME_ERROR|MOUNT_LIMIT)$/);
      expect(endings).toEqual(group.map(({ name }) => ({ name, ending: ended })));
      expect((await programs().output('echo again')).stdout).toBe('again\n');
    },
    120_000,
  );
}

function inGroups(cases: Case[]): [string, Case[]][] {
  const groups = Array.from({ length: Math.ceil(cases.length / AT_ONCE) }, (_, at) =>
    cases.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
  return groups.map((group) => [group.map(({ name }) => name).join('; '), group]);
}

function endingOf({ status, body }: Answer): string {
  return body.details?.provider?.code ?? String(status);
}
