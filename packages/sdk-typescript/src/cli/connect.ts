import { type ConnectOutcome, type CreateConnectTokenBody } from '../gen/models.js';
import { pause } from '../retry.js';
import { type Call, type Command, UsageError } from './command.js';
import { type Flags, isSet, requireOneOf, valueOf } from './flags.js';
import { notePassing } from './follow.js';
import { openBrowser } from './open-browser.js';
import { WORKSPACE, workspaceIdOf } from './workspace.js';

const SCOPES = ['ORGANIZATION', 'WORKSPACE', 'USER'] as const;
const PAUSE_MS = 1_500;

export const connect: Command = {
  name: 'connect',
  usage: '<integration>',
  summary: 'Connect an account: print a link and wait until it is connected',
  flags: [
    WORKSPACE,
    { name: 'end-user', value: 'ID', text: 'Your id of the end user that the account belongs to.' },
    { name: 'scope', value: SCOPES.join('|'), text: 'Defaults to USER with --end-user, and to WORKSPACE without.' },
    { name: 'external-id', value: 'ID', text: 'Your id of the connection. One that exists is reconnected.' },
    { name: 'name', value: 'TEXT', text: 'The name of the connection.' },
    { name: 'no-open', text: 'Do not open the link in a browser.' },
  ],
  async run(call: Call) {
    const { args, flags, output, signal } = call;
    const [integrationName, more] = args;
    if (integrationName === undefined || more !== undefined)
      throw new UsageError('Name one integration: `drawbridge connect github`');
    const client = await call.client();
    const workspaceId = await workspaceIdOf(client, valueOf(flags, 'workspace'), signal);
    const { connectUrl, token, expiresAt } = await client.connect.createToken(
      { integrationName, workspaceId, ...connectionOf(integrationName, flags) },
      { signal },
    );
    output.note(`Open this link, until ${expiresAt}:\n  ${connectUrl}\nWaiting. Ctrl+C stops waiting.`);
    const isSeen = Boolean(process.stdout.isTTY && process.stderr.isTTY) && !isSet(flags, 'no-open');
    const close = isSeen ? await openBrowser(connectUrl).catch(() => undefined) : undefined;
    try {
      const outcome = await ended(() => client.connect.pollSession({ token }, { signal }), call);
      if (outcome.status === 'FAILED')
        throw new Error(`The account was not connected: ${outcome.error ?? 'no reason is known'}`);
      output.print(outcome, `Connected ${outcome.integrationName} as ${outcome.externalId} (${outcome.connectionId})`);
    } finally {
      close?.();
    }
  },
};

function connectionOf(
  integrationName: string,
  flags: Flags,
): Pick<CreateConnectTokenBody, 'connectionName' | 'externalId' | 'scope' | 'endUserId'> {
  const endUserId = valueOf(flags, 'end-user');
  const scope = requireOneOf(flags, 'scope', SCOPES) ?? (endUserId === undefined ? 'WORKSPACE' : 'USER');
  return {
    endUserId,
    scope: scope as (typeof SCOPES)[number],
    connectionName: valueOf(flags, 'name') ?? integrationName,
    externalId: valueOf(flags, 'external-id') ?? [integrationName, endUserId].filter(Boolean).join('-'),
  };
}

/**
 * Returns the result of a connect session. The loop ends, because an unfinished session expires, and the API then reports it as failed or unknown.
 */
async function ended(poll: () => Promise<ConnectOutcome>, call: Call): Promise<ConnectOutcome> {
  for (;;) {
    // A failed poll is repeated here, because the client does not retry a POST, and the person may still connect the account.
    const outcome = await poll().catch((error: unknown) => notePassing(error, call));
    if (outcome?.status === 'COMPLETED' || outcome?.status === 'FAILED') return outcome;
    await pause(PAUSE_MS, call.signal);
  }
}
