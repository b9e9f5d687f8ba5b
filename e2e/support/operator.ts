import { type openAdmin } from '@drawbridge/members/admin';
import { shared } from './shared.js';

const COMMANDS = ['createOrganization', 'setPlan', 'createUser', 'createKey', 'verifyAuditLog'] as const;

type Commands = Pick<Awaited<ReturnType<typeof openAdmin>>, (typeof COMMANDS)[number]>;

/**
 * Runs commands of `drawbridge admin` in the process of the test run (admin-server.js), because a separate process for each command would spend most
 * of its time on starting. packages/cli tests the commands themselves.
 */
export function operatorOf(databaseUrl: string, plansFile = ''): Commands {
  const ask =
    (command: string) =>
    async (...args: unknown[]): Promise<unknown> => {
      const body = JSON.stringify({ databaseUrl, plansFile, command, args });
      const response = await fetch(shared().adminUrl, { method: 'POST', body });
      if (!response.ok) throw new Error(await response.text());
      return response.json();
    };
  return Object.fromEntries(COMMANDS.map((command) => [command, ask(command)])) as unknown as Commands;
}
