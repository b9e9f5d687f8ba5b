import { execFileSync } from 'node:child_process';

const NAME = 'postgres';

/** Returns the system's `postgres` user, and creates it if absent. Only for root, because PostgreSQL refuses to run as root. */
export function serverUser(): { uid: number; gid: number } {
  const user = find() ?? create();
  if (user) return user;
  throw new Error(
    `PostgreSQL does not run as root and no user "${NAME}" could be created: create one, or set DATABASE_URL`,
  );
}

function find() {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, NAME], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/** Tries shadow-utils first, then busybox (Alpine). */
function create() {
  const attempts = [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME],
    ['adduser', '-S', '-D', '-H', '-s', '/sbin/nologin', NAME],
  ];
  for (const [command = '', ...args] of attempts) {
    try {
      execFileSync(command, args, { stdio: 'pipe' });
      return find();
    } catch {
      // Not available on this system: try the next command, or return undefined.
    }
  }
  return undefined;
}
