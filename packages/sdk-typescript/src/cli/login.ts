import { Drawbridge } from '../client.js';
import { type Call, type Command, UsageError } from './command.js';
import { isSet, valueOf } from './flags.js';
import { readSecret } from './read-secret.js';
import { removeSettings, requireSafeUrl, storedSettings, storeSettings } from './settings.js';

export const login: Command = {
  name: 'login',
  usage: '[--url URL]',
  summary: 'Check an API key and store it for the next commands',
  flags: [
    {
      name: 'url',
      value: 'URL',
      text: 'The address of the instance. Defaults to DRAWBRIDGE_URL, then to the last one.',
    },
  ],
  notes: [
    'Asks for the key, or reads it from stdin if that is no terminal.',
    'DRAWBRIDGE_URL and DRAWBRIDGE_KEY win over what is stored.',
  ],
  async run({ args, flags, env, output, signal }: Call) {
    // The API key cannot be an argument, because the list of processes and the history of the shell would contain it.
    if (args.length > 0)
      throw new UsageError('login takes no arguments: it asks for the API key, or reads it from stdin');
    const given =
      valueOf(flags, 'url') || env['DRAWBRIDGE_URL'] || (await storedSettings(env).catch(() => undefined))?.url;
    if (!given) throw new UsageError('--url is missing: pass the address of your instance');
    const url = requireSafeUrl(given, isSet(flags, 'insecure'));
    const apiKey = await readSecret(`API key for ${url}: `);
    if (!/^svc_[!-~]+$/.test(apiKey)) throw new Error('This is not an API key: it must begin with svc_');
    const client = new Drawbridge({ baseUrl: url, apiKey });
    const { organization } = await client.organization.get({ signal });
    await storeSettings(env, { url, apiKey });
    output.note(`Logged in to ${url} for the organization ${organization.name}.`);
    if (env['DRAWBRIDGE_KEY']) output.note('DRAWBRIDGE_KEY is set and wins over the stored key.');
    if (output.isJson) output.print({ url, organization: { id: organization.id, name: organization.name } }, '');
  },
};

export const logout: Command = {
  name: 'logout',
  usage: '',
  summary: 'Remove the stored API key',
  flags: [],
  notes: ['The key stays valid: revoke it with the API if it should not be.'],
  async run({ env, output }: Call) {
    const removed = await removeSettings(env);
    output.note(removed ? 'The stored key is removed.' : 'No key was stored.');
    if (output.isJson) output.print({ removed }, '');
  },
};
