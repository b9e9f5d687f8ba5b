import { type Drawbridge } from '../client.js';
import { NotFoundError } from '../gen/errors.js';
import { type TriggerDelivery } from '../gen/models.js';
import { type Call, type Command, UsageError } from './command.js';
import { type Flags, isSet, requireFlag, valueOf } from './flags.js';
import { follow, NewItems } from './follow.js';
import { forwardEvent, type Outcome, requireSecret } from './forward-event.js';
import { readWholeInput } from './input-flags.js';
import { line, type Output } from './output.js';
import { WORKSPACE, workspaceIdOf } from './workspace.js';

const PAGE = 100;
const PAUSE_MS = 1_000;
/** The longest time after which a delivery may appear in the list behind newer ones, because deliveries are recorded concurrently. */
const DEEP_MS = 60_000;

export const listen: Command = {
  name: 'triggers listen',
  usage: '--trigger ID | --integration NAME --trigger-name NAME, --forward URL',
  summary: 'Forward the events of a trigger to a receiver on this machine',
  flags: [
    {
      name: 'trigger',
      value: 'ID',
      text: 'An enabled trigger, best one with callbackUrl null: a delivered event is no longer kept.',
    },
    { name: 'forward', value: 'URL', text: 'The address of your receiver: http://localhost:3000/events' },
    { name: 'integration', value: 'NAME', text: 'Enable a trigger of this integration, and disable it at the end.' },
    { name: 'trigger-name', value: 'NAME', text: 'The trigger to enable.' },
    WORKSPACE,
    { name: 'end-user', value: 'ID', text: 'Your id of the end user, for connections of end users.' },
    { name: 'alias', value: 'NAME', text: 'The alias of the configured integration.' },
    { name: 'connection', value: 'ID', text: 'Your id of the connection.' },
    { name: 'input', value: 'JSON', text: 'The input of the trigger: an object, @file.json, or - for stdin.' },
    { name: 'simulate', text: 'Call no provider, and send one sample event.' },
  ],
  notes: [
    'Each new event is forwarded once, the oldest first, signed with the secret in the variable SIGNING_SECRET.',
    'Without the variable, events of a trigger that this command enables have the secret that it prints, and others are not signed.',
  ],
  async run(call: Call) {
    const { args, flags, env } = call;
    if (args.length > 0) throw new UsageError(`Unexpected argument ${args[0]}: triggers listen takes flags only`);
    const url = requireReceiver(requireFlag(flags, 'forward', 'pass the address of your receiver'));
    const secret = requireSecret(env['SIGNING_SECRET']);
    const trigger = valueOf(flags, 'trigger');
    if ((trigger === undefined) === (valueOf(flags, 'integration') === undefined)) {
      throw new UsageError('Pass either --trigger, or --integration and --trigger-name');
    }
    const client = await call.client();
    if (trigger !== undefined) {
      if (secret === undefined) call.output.note('SIGNING_SECRET is not set, so events are not signed.');
      return forwardAll(call, client, { id: trigger, url, secret });
    }
    await listenToOwn(call, client, { url, secret });
  },
};

function requireReceiver(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`--forward must be an http or https URL (got ${text})`);
}

interface Receiver {
  url: string;
  secret?: string;
}

/** Enables a trigger without a callback, and disables it however the command ends. */
async function listenToOwn(call: Call, client: Drawbridge, { url, secret }: Receiver): Promise<void> {
  const { flags, output, signal } = call;
  const triggerName = requireFlag(flags, 'trigger-name', 'name a trigger of the integration');
  const body = { ...(await enabling(client, flags, signal)), triggerName };
  // The signal is not passed: if the server enabled the trigger although the request was aborted, its id would be unknown and it would stay enabled.
  const { triggerSource, signingSecret } = await client.triggers.enable(body);
  const { id } = triggerSource;
  try {
    output.note(`Enabled trigger ${id}${triggerSource.webhookUrl ? ` at ${triggerSource.webhookUrl}` : ''}`);
    if (secret === undefined) output.note(`SIGNING_SECRET=${signingSecret}`);
    await forwardAll(call, client, { id, url, secret: secret ?? signingSecret, isOwn: true });
  } finally {
    // The signal that ended the command must not abort this request too, so it is not passed.
    await client.triggers.disable({ triggerSourceId: id }).then(
      () => output.note(`Disabled trigger ${id}`),
      (error: Error) =>
        error instanceof NotFoundError
          ? output.note(`Trigger ${id} was already disabled`)
          : output.error(`Trigger ${id} is still enabled: ${error.message}`),
    );
  }
}

async function enabling(client: Drawbridge, flags: Flags, signal: AbortSignal) {
  const input = await readWholeInput(valueOf(flags, 'input'));
  return {
    workspaceId: await workspaceIdOf(client, valueOf(flags, 'workspace'), signal),
    integrationName: requireFlag(flags, 'integration', 'name an integration'),
    integrationAlias: valueOf(flags, 'alias'),
    connectionExternalId: valueOf(flags, 'connection'),
    endUserId: valueOf(flags, 'end-user'),
    simulate: isSet(flags, 'simulate') || undefined,
    input,
    callbackUrl: null,
  };
}

interface Listening extends Receiver {
  id: string;
  /** Whether this command enabled the trigger, so that all of its events are new. */
  isOwn?: boolean;
}

async function forwardAll({ output, signal }: Call, client: Drawbridge, listening: Listening): Promise<void> {
  const { id, url, secret, isOwn } = listening;
  const items = new NewItems(
    () => client.triggers.listDeliveries(id, { limit: PAGE }, { signal }),
    DEEP_MS,
    (text) => output.note(text),
  );
  if (!isOwn) await items.start();
  output.note(`Forwarding the events of trigger ${id} to ${url}. Ctrl+C ends it.`);
  const waiting: TriggerDelivery[] = [];
  const look = async (): Promise<boolean> => {
    // If the request for an event fails, the events remain in `waiting`, and the next poll continues with them.
    if (waiting.length === 0) waiting.push(...(await items.next()));
    const isFound = waiting.length > 0;
    for (let next = waiting[0]; next; next = waiting[0]) {
      const { body } = await client.triggers.getDelivery(id, next.id, { signal });
      waiting.shift();
      const sent = { triggerId: id, deliveryId: next.id, eventId: next.eventId, url, secret, signal };
      print(next, body === null ? unavailable(next) : await forwardEvent({ ...sent, body }), output);
    }
    return isFound;
  };
  await follow(look, { signal, output, pauseMs: PAUSE_MS });
}

function unavailable({ errorMessage }: TriggerDelivery): Outcome {
  return { status: null, error: errorMessage ?? 'already delivered to its callback, and no longer kept' };
}

function print({ id, eventId, createdAt }: TriggerDelivery, { status, error }: Outcome, output: Output): void {
  const isAccepted = status !== null && status >= 200 && status < 300;
  const shown = output.color(line(String(status ?? error)), isAccepted ? 'green' : 'red');
  output.printColored(
    { deliveryId: id, eventId, createdAt, status, error },
    `${line(createdAt)}  ${line(id)}  ${shown}`,
  );
}
